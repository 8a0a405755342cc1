#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "history/series.hpp"

namespace shardbench {

/// A lasting change of one metric of one case.
struct LastingChange {
  std::string case_id, metric;
  bool timed = false;
  std::size_t last_before = 0, first_after = 0;  ///< indices of runs
  double before = 0, after = 0;  ///< timed: medians of the runs up to the next changes; counted: the two values
  double p = 0;                  ///< timed: of the permutation test; counted: 0, for a count does not vary by chance
};

/// Every change of a counted metric from one run to the next, and the change points of times by `e_divisive` whose
/// medians differ by `smallest_change` or more, e.g. 0.05 for 5 %.
std::vector<LastingChange> lasting_changes(const std::vector<Series>& series, double smallest_change = 0.05);

}  // namespace shardbench
