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

}  // namespace shardbench
