#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "control/report.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// The truth that a case is compared with: the same model, optimizer and global batch in one process, without strategy,
/// schedule or communication. Gradients are summed slice by slice (the ranks' rows in order, or the microbatches in the
/// order in which the schedule's stage adds them), and divided: by the number of ranks, or as the loss of a batch says
/// (`loss_divisor`).
struct Reference {
  std::vector<std::vector<double>> losses;              ///< [checked step][slice]
  std::vector<std::vector<std::uint64_t>> rows_hashes;  ///< [checked step][slice], of the rows trained on
  std::vector<float> gradients;                         ///< of the last checked step, all parameters end to end
  std::vector<float> parameters;                        ///< after the last checked step, likewise
  std::vector<float> parameters_before;                 ///< before its update, likewise
  std::vector<float> parameters_first;                  ///< before the first update, likewise
  std::vector<std::string> names;                       ///< of the parameter tensors
  std::vector<std::int64_t> offsets;                    ///< where each begins; one more than names: the end

  /// Elements of each flat array: of all parameters.
  std::int64_t elements() const { return offsets.empty() ? 0 : offsets.back(); }

  /// `orders`: the slices in the order of the sum, by stage of the model; empty: ascending in all of it.
  static Reference compute(const Case& spec, const std::vector<std::vector<int>>& orders = {});
  void save(const std::filesystem::path& file) const;
  static Reference load(const std::filesystem::path& file);
};

/// How far numbers may be from the reference where the order of additions differs (docs/laws.md, "Tolerances").
struct Tolerance {
  double relative = 0, absolute = 0;
};
inline constexpr Tolerance parameter_tolerance{1.3e-6, 1e-5};

/// For gradients: a sum of `slices` float32 terms in another order is off by at most slices x 2^-24 of the sum of
/// magnitudes, which is bounded here by the largest gradient of the model, times 8 for the terms' own cancellation.
Tolerance gradient_tolerance(const Reference& reference, const Case& spec);

/// Compares numbers with the reference, piece by piece.
class Comparison {
 public:
  /// `wanted`: the reference's flat array. `mistakes`: what the numbers would be by known mistakes, in the same layout
  /// (see `Difference::known_mistake`). All outlive it.
  Comparison(const Reference& reference, const std::vector<float>& wanted, Tolerance tolerance,
             std::vector<std::span<const float>> mistakes = {});

  /// `count` elements that belong at `offset` of the flat array.
  void add(const float* got, std::int64_t offset, std::int64_t count);
  Difference result() const;

 private:
  const Reference& reference_;
  const std::vector<float>& wanted_;
  Tolerance tolerance_;
  std::vector<std::span<const float>> mistakes_;  ///< emptied as soon as a number that differs is not of that mistake
  Difference difference_;
  double largest_ = 0;                           ///< magnitude in `wanted`
  double least_ratio_ = 0, greatest_ratio_ = 0;  ///< of numbers to the reference's, where those are not small
  bool any_ratio_ = false, any_right_ = false;
  std::int64_t worst_ = -1;
};

}  // namespace shardbench
