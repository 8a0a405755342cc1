#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace shardbench {

enum class OptimizerKind : std::uint8_t { adamw, sgd, momentum };

constexpr std::string_view name_of(OptimizerKind kind) noexcept {
  return kind == OptimizerKind::adamw ? "adamw" : kind == OptimizerKind::sgd ? "sgd" : "momentum";
}

/// An optimizer and its constants; the defaults are PyTorch's for torch.optim.AdamW and torch.optim.SGD(momentum=0.9).
struct OptimizerSpec {
  OptimizerKind kind = OptimizerKind::adamw;
  double learning_rate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 1e-2;  ///< adamw
  double momentum = 0.9;                                                   ///< momentum
};

/// Bytes of optimizer state for parameter tensors of `elements` each.
/// AdamW holds exp_avg and exp_avg_sq (one element each per parameter) and `step`, a 4-byte tensor per parameter tensor
/// (torch.optim.AdamW); momentum one buffer; plain SGD nothing.
constexpr std::uint64_t optimizer_state_bytes(OptimizerKind kind, std::span<const std::uint64_t> elements,
                                              std::uint64_t element_bytes) noexcept {
  std::uint64_t bytes = 0;
  for (const std::uint64_t n : elements) {
    if (kind == OptimizerKind::adamw) bytes += 2 * n * element_bytes + 4;
    if (kind == OptimizerKind::momentum) bytes += n * element_bytes;
  }
  return bytes;
}

/// The fused kernels work on vectors of this many elements (or of half as many); what is left of a tensor goes through
/// other instructions with other roundings, so `Optimizer` gives them nothing but whole vectors.
inline constexpr std::uint64_t optimizer_vector = 16;

/// Bytes that one update needs for a moment: the remainders of tensors, each in a whole vector, for values, gradients
/// and state.
constexpr std::uint64_t optimizer_temporary_bytes(OptimizerKind kind, std::span<const std::uint64_t> elements,
                                                  std::uint64_t element_bytes) noexcept {
  const std::uint64_t copies = kind == OptimizerKind::adamw ? 4 : kind == OptimizerKind::momentum ? 3 : 2;
  std::uint64_t remainders = 0;
  for (const std::uint64_t n : elements) remainders += n % optimizer_vector != 0 ? 1 : 0;
  return remainders * optimizer_vector * copies * element_bytes;
}

}  // namespace shardbench
