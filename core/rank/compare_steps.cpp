#include "rank/compare_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardbench {

void note_not_finite(RankReport& report, int step, const std::string& where, double value) {
  if (!report.not_finite && !std::isfinite(value)) report.not_finite = NotFinite{step + 1, where, number_text(value)};
}

void note_not_finite(RankReport& report, int step, const ParameterLayout& layout,
                     const std::vector<GradientWriter::Piece>& pieces) {
  for (const auto& [begin, tensor] : pieces) {
    const at::Tensor values = tensor.contiguous();
    const std::span<const float> numbers(values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel()));
    const std::int64_t at = first_not_finite(numbers);
    if (at >= 0)
      note_not_finite(report, step, "the gradient of " + element_text(layout, begin + at),
                      numbers[static_cast<std::size_t>(at)]);
  }
}

Difference compare_losses(const Reference& reference, const std::vector<std::vector<double>>& got,
                          std::size_t first_slice) {
  Difference d;
  d.bitwise = true;
  for (std::size_t step = 0; step < got.size(); ++step)
    for (std::size_t i = 0; i < got[step].size(); ++i) {
      const double loss = got[step][i], wanted = reference.losses.at(step).at(first_slice + i);
      d.compared = true;
      if (loss == wanted || (std::isnan(loss) && std::isnan(wanted))) continue;
      const double distance = std::abs(loss - wanted);
      if (d.bitwise) {
        d.step = static_cast<int>(step) + 1;
        d.where = "the loss of step " + std::to_string(d.step);
      }
      d.bitwise = false;
      d.max_abs = std::max(d.max_abs, std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance);
    }
  return d;
}

Difference compare_gradients(const Reference& reference, const std::filesystem::path& record, int last_step) {
  GradientReader reader(record);
  Difference difference;
  while (const auto shown = reader.next()) {
    const bool first = shown->step == 0, last = shown->step == last_step;
    if (!first && !last) continue;
    ElementComparison comparison(reference.layout, last ? reference.gradients : reference.first_gradients,
                                 {std::span<const float>(shown->own)});
    for (const ShownPiece& piece : shown->pieces) comparison.add(piece.values, piece.begin);
    difference = comparison.result();
    difference.step = shown->step + 1;
    if (!difference.equal()) return difference;
  }
  return difference;
}

EndComparison::EndComparison(const Reference* reference, const ParameterLayout& layout)
    : reference_(reference), layout_(layout) {
  if (reference == nullptr) return;
  if (reference->parameters_end_apart.empty())
    exact_.emplace(layout, Wanted{reference->parameters_end});
  else
    drift_.emplace(layout, reference->parameters_end, reference->parameters_end_apart);
}

void EndComparison::add(std::span<const float> values, std::int64_t offset) {
  if (exact_) exact_->add(values, offset);
  if (drift_) drift_->add(values, offset);
  const std::int64_t at = first_not_finite(values);
  if (at >= 0 && !not_finite_)
    not_finite_ = NotFinite{0, element_text(layout_, offset + at), number_text(values[static_cast<std::size_t>(at)])};
}

void EndComparison::report(int steps, TimedPart& timed) const {
  if (exact_) timed.parameters_difference = exact_->result();
  if (drift_) timed.parameters_difference = drift_->result();
  timed.parameters_difference.step = steps;
  timed.not_finite = not_finite_;
  if (timed.not_finite) timed.not_finite->step = steps;
  if (reference_ != nullptr)
    timed.reference_not_finite = reference_->not_finite ? reference_->not_finite : reference_->later_not_finite;
}

void copy_findings(const Reference& reference, RankReport& report) {
  report.reference_not_finite = reference.not_finite;
  report.refused_gradient = reference.refused_gradient;
}

}  // namespace shardbench
