#pragma once
#include <optional>

#include "compare/judge_times.hpp"

namespace shardbench {

/// The slowdown that a gate is expected to find in every case: a case in which it would not is said to be too noisy.
inline constexpr double expected_slowdown = 0.25;

/// One case's launches, as a comparison has them.
struct ComparedLaunches {
  const LaunchMedians &base, &next;              ///< of the first look
  const LaunchMedians &base_again, &next_again;  ///< of the re-run, turn by turn; empty where there was none
};

/// The smallest slowdown (0.25: a quarter longer) that the gate would find 19 times in 20 in launches that spread as
/// these do, by its own rule: the threshold and the test of `confirm_times`. Nothing where there are fewer launches
/// than the rule asks for.
///
/// 100 re-runs are drawn (with replacement, from a fixed seed) out of what two launches of one build differ by: the
/// logarithms of the turns' ratios around their middle; where there were no turns, of the ratios of any two launches of
/// one side. A re-run has all turns that the rule allows or, where the base could not be run again, as many new
/// launches as it asks for, against as many old ones as there are. For a draw the smallest slowdown is exact, since a
/// slowdown shifts every difference alike: the signed-rank statistic of differences d shifted by s is the number of
/// their Walsh averages (d_i + d_j) / 2, i <= j, above -s, and that of the rank-sum test the number of pairs above -s
/// (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., sections 3.3 and 4.3). So the critical
/// value of the test names the average that -s has to lie below, and the threshold is s plus their median. The result
/// is the 95th percentile over the draws.
std::optional<double> detectable_slowdown(const ComparedLaunches& launches, const TimeRule& rule);

}  // namespace shardbench
