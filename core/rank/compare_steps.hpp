#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/report.hpp"
#include "rank/gradient_record.hpp"
#include "rank/reference.hpp"

namespace shardbench {

/// What training and pipeline share where they are held against the reference.

/// Notes the first number of a case that is not finite: of checked step `step`, from 0.
void note_not_finite(RankReport& report, int step, const std::string& where, double value);

/// Of the pieces of a step, of all parameters laid end to end.
void note_not_finite(RankReport& report, int step, const ParameterLayout& layout,
                     const std::vector<GradientWriter::Piece>& pieces);

/// Losses of the checked steps: every bit is demanded. `got[step]` are to be those of the reference's slices from
/// `first_slice` on.
Difference compare_losses(const Reference& reference, const std::vector<std::vector<double>>& got,
                          std::size_t first_slice);

/// The recorded gradients of the first and the last checked step; the first one's difference where they are wrong, else
/// the last one's.
Difference compare_gradients(const Reference& reference, const std::filesystem::path& record, int last_step);

/// Compares the parameters after the last step with those of a reference that went on for as many steps: every bit
/// where its sums have one order, else as far as rounding can lead (DriftComparison).
class EndComparison {
 public:
  /// `reference`: null where there is none, then nothing is compared.
  EndComparison(const Reference* reference, const ParameterLayout& layout);

  /// One whole tensor, which begins at `offset` of all parameters.
  void add(std::span<const float> values, std::int64_t offset);
  /// `steps` were made, the checked ones included.
  void report(int steps, TimedPart& timed) const;

 private:
  const Reference* reference_;
  const ParameterLayout& layout_;
  std::optional<ElementComparison> exact_;
  std::optional<DriftComparison> drift_;
  std::optional<NotFinite> not_finite_;
};

/// What the reference says of itself, for the checks.
void copy_findings(const Reference& reference, RankReport& report);

}  // namespace shardbench
