#pragma once
#include <cstddef>
#include <vector>

namespace shardbench {

/// Twice the midrank of each value: the ranks 1, 2, ..., equal values sharing the mean of theirs.
struct Midranks {
  std::vector<std::size_t> doubled;  ///< in the order of the values
  double ties = 0;                   ///< sum over groups of t equal values of t^3 - t
};

Midranks midranks_of(const std::vector<double>& values);

/// How likely it is that a standard normal variable is above z.
double normal_above(double z);

}  // namespace shardbench
