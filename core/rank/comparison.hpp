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

/// "layer3.weight[17]", for an element of the flat array.
std::string element_text(const ParameterLayout& layout, std::int64_t element);

/// A number for a person: "0.25", "inf".
std::string number_text(double number);

/// The first element that is not a finite number; -1: there is none.
std::int64_t first_not_finite(std::span<const float> values);

}  // namespace shardbench
