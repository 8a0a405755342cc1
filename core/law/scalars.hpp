#pragma once
#include <cstdint>

/// Bytes of the numbers that a step makes beside its tensors (docs/laws.md).

namespace shardbench {

inline constexpr std::uint64_t scalar = 4;  ///< the loss, and its gradient by itself
inline constexpr std::uint64_t divisor =
    12;  ///< ATen makes a number that divides a tensor a tensor: int64, then float32

}  // namespace shardbench
