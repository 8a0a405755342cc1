#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "control/report.hpp"
#include "model/mlp.hpp"

namespace shardbench {

/// What numbers are compared with: a flat array of all parameters' elements, and how far each may be off.
struct Wanted {
  std::span<const float> values;
  std::span<const float> bounds = {};  ///< of |difference|, element by element; empty: every bit is demanded
};

/// Compares numbers with a flat array, piece by piece. Two numbers that are not a number are equal, whatever their
/// bits; one alone is farther off than any number.
class ElementComparison {
 public:
  /// `mistakes`: what the numbers would be by known mistakes, in the same layout (see `Difference::known_mistake`). All
  /// arguments outlive it.
  ElementComparison(const ParameterLayout& layout, Wanted wanted, std::vector<std::span<const float>> mistakes = {});

  /// `got` belongs at `offset` of the flat array. Throws `Error` where it does not fit.
  void add(std::span<const float> got, std::int64_t offset);
  Difference result() const;

 private:
  void add_element(std::size_t at, float got);

  const ParameterLayout& layout_;
  Wanted wanted_;
  std::vector<std::span<const float>> mistakes_;  ///< emptied as soon as a number that differs is not of that mistake
  Difference difference_;
  double largest_ = 0;                           ///< magnitude in `wanted`
  double least_ratio_ = 0, greatest_ratio_ = 0;  ///< of numbers to the wanted ones, where those are not small
  bool any_ratio_ = false, any_right_ = false;
  std::int64_t worst_ = -1;
};

/// Compares parameters with those of a reference that did not follow the ranks' order of additions, tensor by tensor.
///
/// A second run of the reference, whose every gradient was at an end of its bounds, shows how far rounding alone can
/// lead: a tensor may be off by `most_apart` times as much, in the mean over its elements. A few elements are left out
/// of the mean: under AdamW one whose gradient is about as small as its rounding goes the other way, by a whole step,
/// in one run and not in another. Tensors of less than `least_elements` are judged together. What a wrong update does,
/// it does to most elements.
class DriftComparison {
 public:
  static constexpr double most_apart = 4;
  static constexpr std::size_t least_elements = 16, left_out = 3;

  /// `wanted`, `apart`: parameters at the end of both runs. All arguments outlive it.
  DriftComparison(const ParameterLayout& layout, std::span<const float> wanted, std::span<const float> apart);

  /// One whole tensor, which begins at `offset`.
  void add(std::span<const float> got, std::int64_t offset);
  /// `max_tolerated_ratio` is that of the worst tensor, `where` its name or that of the worst element.
  Difference result() const;

 private:
  /// Distances of the elements of one tensor, or of several small ones.
  struct Group {
    std::vector<double> distances;
    double apart = 0, magnitudes = 0;
  };
  void judge(Group group, const std::string& where);

  const ParameterLayout& layout_;
  std::span<const float> wanted_, apart_;
  Group small_;
  Difference difference_;
};

/// "layer3.weight[17]", for an element of the flat array.
std::string element_text(const ParameterLayout& layout, std::int64_t element);

/// A number for a person: "0.25", "inf".
std::string number_text(double number);

/// The first element that is not a finite number; -1: there is none.
std::int64_t first_not_finite(std::span<const float> values);

}  // namespace shardbench
