#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/interprocess/mapped_region.hpp>

#include "control/report.hpp"
#include "rank/comparison.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// What the reference of a case is made from.
struct ReferenceInput {
  Case spec;
  /// The slices in the order of the sum, by stage of the model; empty: ascending in all of it.
  std::vector<std::vector<int>> orders;
  /// A file of shown gradients by rank (GradientWriter): the reference follows them. Empty: its own sums are the only
  /// right ones.
  std::vector<std::filesystem::path> shown;
  int steps_after = 0;  ///< steps to go on for after the checked ones
};

/// Runs the truth that a case is compared with, and writes it into `file`: the same model, optimizer and global batch
/// in one process, without strategy, schedule or communication.
///
/// Gradients are summed slice by slice (the ranks' rows, or the microbatches in the order in which the schedule's stage
/// adds them), and divided: by the number of ranks, or as the loss of a batch says (`loss_divisor`). Where a sum has
/// one order only (two ranks, a pipeline), the result is the only right one. Else the sum is made in double precision,
/// with the bounds of what float32 sums in any order can be
/// (`gradient_bound`), and the reference updates with the gradients that the ranks showed as long as they are within:
/// so its parameters, and with them its losses and the sums of the next step, are to be met bit by bit again.
void write_reference(const ReferenceInput& in, const std::filesystem::path& file);

/// How far the average of `terms` float32 numbers may be from the exact one, whatever the order of additions: terms - 1
/// of them, up to four roundings by scaling before and after (a division, or a factor split in two, as FSDP has it),
/// and one of the number that it is compared with; each is off by at most 2^-24 of the sum of magnitudes (Higham,
/// Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2), or by half the smallest float32.
double gradient_bound(int terms, double sum_of_magnitudes);

/// The truth, read back. The arrays have all parameters end to end (`layout`) and lie in the mapped file.
struct Reference {
  std::vector<std::vector<double>> losses;              ///< [checked step][slice]
  std::vector<std::vector<std::uint64_t>> rows_hashes;  ///< [checked step][slice], of the rows trained on
  ParameterLayout layout;
  Wanted first_gradients, gradients;         ///< of the first and the last checked step
  std::span<const float> parameters;         ///< after the last checked step
  std::span<const float> parameters_before;  ///< before its update
  std::span<const float> parameters_first;   ///< before the first update
  std::span<const float> parameters_end;     ///< after `steps_after` more steps
  /// The same by gradients at the ends of their bounds: how far rounding alone can lead. Empty where there is one
  /// order.
  std::span<const float> parameters_end_apart;
  int steps_after = 0;
  std::optional<NotFinite> not_finite;        ///< the first, in the checked steps
  std::optional<NotFinite> later_not_finite;  ///< the first after them; `step` goes on
  std::string refused_gradient;               ///< the first shown gradient that was out of its bounds, or empty

  static Reference load(const std::filesystem::path& file);

 private:
  boost::interprocess::mapped_region memory_;
};

}  // namespace shardbench
