#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/dtype.hpp"
#include "shardbench/optimizer_spec.hpp"

namespace shardbench {

/// Bytes that one parameter costs, by what they are for.
struct BytesPerParameter {
  std::uint64_t weight = 4, gradient = 4, optimizer = 8;
};

/// All states in one dtype: AdamW keeps two numbers per parameter, momentum one, plain SGD none.
BytesPerParameter one_precision(DType dtype, OptimizerKind optimizer);

/// Weights and gradients in 16 bits; the optimizer works on float32 copies of the weights, which count as its state:
/// AdamW 4 + 4 + 4 bytes (Rajbhandari et al., ZeRO, SC 2020, section 3.1, K = 12), momentum 4 + 4, SGD 4.
BytesPerParameter mixed_precision(OptimizerKind optimizer);

/// A training of `parameters` over `ranks`, as the laws of strategies see it without a model: activations, the
/// gradients of the one layer that autograd works on, and the optimizer's 4-byte step counters are not part of it.
struct PredictionInput {
  std::uint64_t parameters = 0;
  std::uint64_t ranks = 1;
  BytesPerParameter bytes = {};
  std::uint64_t units =
      1;  ///< equal parts of the model that are gathered and reduced together; 1 = the root unit alone
};

/// What one strategy costs each rank.
struct Prediction {
  std::string_view strategy;                                ///< "zero1 (flat)"
  std::string_view source;                                  ///< what it is called elsewhere
  std::uint64_t weights = 0, gradients = 0, optimizer = 0;  ///< bytes at rest
  std::uint64_t in_step = 0;  ///< most bytes of weights, gradients and optimizer state at once inside a step
  std::uint64_t sent = 0;     ///< bytes sent per step (ring; the rank that sends most; zero1's broadcasts on average)
  std::uint64_t at_rest() const { return weights + gradients + optimizer; }
};

/// Every strategy of docs/laws.md, "Predictions", the least sharded first. Throws `Error` where there are no
/// parameters, ranks or units, more units than parameters, or so many of them that bytes overflow.
std::vector<Prediction> predict(const PredictionInput& in);

/// The prediction that sends the fewest bytes among those whose `in_step` is at most `memory`; on ties (less than 0.1
/// %, which padding makes) the one with the fewest bytes inside the step, then the least sharded. Null where none fits.
const Prediction* cheapest_that_fits(const std::vector<Prediction>& predictions, std::uint64_t memory);

/// "80GB" (1e9), "80GiB" (2^30), "1.5e9", with kB to TB and KiB to TiB; nothing where it is no number of bytes.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "31.4 GB", "526.3 kB", "12 bytes": one decimal, 1 GB = 1e9 bytes.
std::string bytes_text(std::uint64_t bytes);

}  // namespace shardbench
