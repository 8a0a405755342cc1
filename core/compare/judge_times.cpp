#include "compare/judge_times.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "compare/mann_whitney.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

LaunchMedians scaled(LaunchMedians values, double by) {
  for (double& v : values) v *= by;
  return values;
}

LaunchMedians joined(LaunchMedians a, const LaunchMedians& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Neither a slowdown nor a speed-up by the threshold explains the samples.
bool excludes_change(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule) {
  const double factor = 1 + rule.threshold;
  return mann_whitney(scaled(base, factor), next).second_smaller <= rule.significance &&
         mann_whitney(scaled(base, 1 / factor), next).second_larger <= rule.significance;
}

}  // namespace

TimeRule rule_for(const std::string& metric, const Gate& gate) {
  return {gate.threshold_of(metric), gate.launches_of(metric), gate.significance};
}

TimeJudgement judge_times(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule) {
  TimeJudgement j;
  if (base.empty() || next.empty()) {
    j.change = Change::not_comparable;
    j.reason = base.empty() ? "the base has no times" : "there are no times now";
    return j;
  }
  j.base = median(base);
  j.next = median(next);
  j.ratio = j.next / j.base;
  const RankTest test = mann_whitney(base, next);
  j.p = j.ratio >= 1 ? test.second_larger : test.second_smaller;
  if (static_cast<int>(std::min(base.size(), next.size())) < rule.launches) {
    j.reason =
        fmt::format("{} and {} launches, but {} on each side are needed", base.size(), next.size(), rule.launches);
    return j;
  }
  const double size = std::abs(std::log(j.ratio)), needed = std::log1p(rule.threshold);
  const bool significant = j.p <= rule.significance;
  j.suspect = significant && size >= needed * 2 / 3;
  if (significant && size >= needed)
    j.change = j.ratio > 1 ? Change::larger : Change::smaller;
  else if (excludes_change(base, next, rule))
    j.change = Change::same;
  else
    j.reason =
        significant ? "significant, but too near to the threshold to tell" : "the launches spread too far to tell";
  return j;
}

TimeJudgement confirm_times(const LaunchMedians& base, const LaunchMedians& next, const LaunchMedians& base_again,
                            const LaunchMedians& next_again, const TimeRule& rule) {
  const bool slower = judge_times(base, next, rule).ratio >= 1;
  const LaunchMedians& against = base_again.empty() ? base : base_again;
  const RankTest again = mann_whitney(against, next_again);
  const double p = slower ? again.second_larger : again.second_smaller;
  TimeJudgement j = judge_times(joined(base, base_again), joined(next, next_again), rule);
  j.suspect = false;
  const bool agrees = !next_again.empty() && p <= rule.significance;
  if (agrees || j.change == Change::same) return j;
  j.change = Change::ambiguous;
  j.reason = next_again.empty() ? "the re-run gave no times"
                                : fmt::format("the re-run does not agree: ratio {:.2f}, p = {:.3f}",
                                              median(next_again) / median(against), p);
  return j;
}

}  // namespace shardbench
