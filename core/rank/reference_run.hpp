#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rank/gradient_record.hpp"
#include "rank/reference.hpp"
#include "shardbench/optimizer.hpp"

namespace shardbench {

/// Which of the right gradients a reference run updates with, where there is more than one.
enum class Rounding {
  as_shown,  ///< in the checked steps those that the ranks showed, afterwards the exact average
  farthest,  ///< the same in the checked steps; afterwards each element is at one end of its bounds
};

/// The training in one process (`write_reference`), run by its constructor.
class ReferenceRun {
 public:
  ReferenceRun(const ReferenceInput& in, Rounding rounding);

  bool bounded() const noexcept { return bounded_; }
  const ParameterLayout& layout() const noexcept { return layout_; }
  const std::vector<std::vector<double>>& losses() const noexcept { return losses_; }
  const std::vector<std::vector<std::uint64_t>>& rows_hashes() const noexcept { return rows_hashes_; }
  const std::optional<NotFinite>& not_finite() const noexcept { return not_finite_; }
  const std::optional<NotFinite>& later_not_finite() const noexcept { return later_not_finite_; }
  const std::string& refused_gradient() const noexcept { return refused_gradient_; }

  /// Gradients of the first and the last checked step, each with its bounds where `bounded`; parameters after, before
  /// the update of, and before the first of the checked steps; parameters at the end.
  std::vector<const std::vector<float>*> arrays() const;
  const std::vector<float>& end() const noexcept { return end_; }

 private:
  /// Layers whose gradients are summed in the same order of slices.
  struct Order {
    std::vector<int> slices;
    std::vector<bool> layers;  ///< by layer: it is one of them
  };
  struct Average {
    std::vector<float> values, bounds;
  };

  static std::vector<Order> orders_of(const ReferenceInput& in, int slices);
  int divisor() const;
  at::Tensor rows_of(int step, int slice) const;
  /// Adds a slice's gradients of some of the layers to the sums; the slice's loss.
  double add_slice(const Order& order, const at::Tensor& rows);
  void add_gradient(std::size_t parameter, const at::Tensor& gradient);
  Average average();
  void run_step(int step);
  void follow(int step, Average& average);
  void move_apart(Average& average) const;
  void note_not_finite(int step, const std::string& where, double value);
  void note_losses(int step, const std::vector<double>& losses);
  void note(int step, const char* prefix, std::span<const float> values, std::int64_t offset = 0);
  void update(const std::vector<float>& average);
  std::vector<float> parameters_now() const;

  ReferenceInput in_;
  Rounding rounding_;
  bool bounded_;
  ParameterLayout layout_;
  int slices_;
  std::vector<Order> orders_;
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<at::Tensor> values_;
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<GradientReader> readers_;

  std::vector<at::Tensor> sums_;                 ///< of the step, by parameter, where there is one order
  std::vector<double> exact_sums_, magnitudes_;  ///< ... where there are several, end to end

  std::vector<std::vector<double>> losses_;
  std::vector<std::vector<std::uint64_t>> rows_hashes_;
  Average first_, last_;
  std::vector<float> parameters_, before_, at_first_, end_;
  std::optional<NotFinite> not_finite_, later_not_finite_;
  std::string refused_gradient_;
};

}  // namespace shardbench
