#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shardbench {

/// What a block of memory is for. The allocator counts bytes by role.
enum class Role : std::uint8_t { weights, gradients, optimizer, activations, communication, temporary };
inline constexpr std::size_t role_count = 6;

constexpr std::string_view name_of(Role role) noexcept {
  constexpr std::string_view names[] = {"weights",     "gradients",     "optimizer",
                                        "activations", "communication", "temporary"};
  return names[static_cast<std::size_t>(role)];
}

/// Bytes by role, indexed by `Role`.
using RoleBytes = std::array<std::uint64_t, role_count>;

constexpr std::uint64_t total(const RoleBytes& bytes) noexcept {
  std::uint64_t sum = 0;
  for (const std::uint64_t b : bytes) sum += b;
  return sum;
}

}  // namespace shardbench
