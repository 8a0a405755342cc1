#include "compare/judge_times.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "compare/mann_whitney.hpp"
#include "compare/signed_rank.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

LaunchMedians scaled(LaunchMedians values, double by) {
  for (double& v : values) v *= by;
  return values;
}

/// Median over all pairs of next / base.
double ratio_of(const LaunchMedians& base, const LaunchMedians& next) {
  std::vector<double> ratios;
  for (const double b : base)
    for (const double n : next) ratios.push_back(n / b);
  return median(std::move(ratios));
}

/// Neither a slowdown nor a speed-up by the threshold explains the samples.
bool excludes_change(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule) {
  const double factor = 1 + rule.threshold;
  return mann_whitney(scaled(base, factor), next).second_smaller <= rule.significance &&
         mann_whitney(scaled(base, 1 / factor), next).second_larger <= rule.significance;
}

/// The same of pairs.
bool excludes_change(const std::vector<double>& differences, const TimeRule& rule) {
  const double limit = std::log1p(rule.threshold);
  std::vector<double> below, above;
  for (const double d : differences) {
    below.push_back(limit - d);
    above.push_back(limit + d);
  }
  return signed_rank(below).above <= rule.significance && signed_rank(above).above <= rule.significance;
}

/// By threshold, rank test and equivalence: j has its ratio and p, `excluded` tells whether a change is.
template <class Excluded>
void decide(TimeJudgement& j, const TimeRule& rule, double significance, Excluded excluded) {
  const double size = std::abs(std::log(j.ratio)), needed = std::log1p(rule.threshold);
  const bool significant = j.p <= significance;
  if (significant && size >= needed)
    j.change = j.ratio > 1 ? Change::larger : Change::smaller;
  else if (excluded())
    j.change = Change::same;
  else
    j.reason =
        significant ? "significant, but too near to the threshold to tell" : "the launches spread too far to tell";
}

/// By the significance that a first look, or a re-run, asks for.
TimeJudgement judge(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule, double significance) {
  TimeJudgement j;
  if (base.empty() || next.empty()) {
    j.change = Change::not_comparable;
    j.reason = base.empty() ? "the base has no times" : "there are no times now";
    return j;
  }
  j.base = median(base);
  j.next = median(next);
  j.ratio = ratio_of(base, next);
  const RankTest test = mann_whitney(base, next);
  j.p = j.ratio >= 1 ? test.second_larger : test.second_smaller;
  if (static_cast<int>(std::min(base.size(), next.size())) < rule.launches) {
    j.reason =
        fmt::format("{} and {} launches, but {} on each side are needed", base.size(), next.size(), rule.launches);
    return j;
  }
  decide(j, rule, significance, [&] { return excludes_change(base, next, rule); });
  j.worth_rerun = j.change != Change::same || std::abs(std::log(j.ratio)) >= std::log1p(rule.threshold) / 3;
  return j;
}

TimeJudgement judge_pairs(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < base.size(); ++i) differences.push_back(std::log(next.at(i) / base[i]));
  TimeJudgement j;
  j.base = median(base);
  j.next = median(next);
  j.ratio = std::exp(middle_difference(differences));
  const SignedRankTest test = signed_rank(differences);
  j.p = j.ratio >= 1 ? test.above : test.below;
  decide(j, rule, rule.confirming_significance, [&] { return excludes_change(differences, rule); });
  return j;
}

}  // namespace

std::string name_of(Change change, bool timed) {
  switch (change) {
    case Change::same: return "same";
    case Change::smaller: return timed ? "faster" : "smaller";
    case Change::larger: return timed ? "slower" : "larger";
    case Change::suspect: return "suspect";
    case Change::ambiguous: return "ambiguous";
    case Change::not_comparable: return "not comparable";
  }
  return "?";
}

TimeRule rule_for(const std::string& metric, const Gate& gate) {
  return {gate.threshold_of(metric), gate.launches_of(metric),      gate.significance,
          gate.confirming_launches,  gate.most_confirming_launches, gate.confirming_significance};
}

TimeJudgement judge_times(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule) {
  TimeJudgement j = judge(base, next, rule, rule.significance);
  if (!j.worth_rerun) return j;
  if (j.change == Change::same)
    j.reason = "within the threshold, but too near to it for the first look";
  else if (j.change != Change::ambiguous)
    j.reason = fmt::format("{} by the first look", name_of(j.change, true));
  j.change = Change::suspect;
  return j;
}

TimeJudgement confirm_times(const LaunchMedians& base, const LaunchMedians& next, const LaunchMedians& base_again,
                            const LaunchMedians& next_again, const TimeRule& rule) {
  const TimeJudgement first = judge(base, next, rule, rule.significance);
  const bool pairs = !base_again.empty() && !next_again.empty();
  TimeJudgement j =
      pairs ? judge_pairs(base_again, next_again, rule) : judge(base, next_again, rule, rule.confirming_significance);
  j.worth_rerun = false;
  if (j.change == Change::not_comparable) {
    j = first;
    j.worth_rerun = false;
    j.change = Change::ambiguous;
    j.reason = "the re-run gave no times";
  } else if ((first.change == Change::larger && j.change == Change::smaller) ||
             (first.change == Change::smaller && j.change == Change::larger)) {
    j.change = Change::ambiguous;
    j.reason = fmt::format("the re-run points the other way: x {:.2f} at first, x {:.2f} again", first.ratio, j.ratio);
  } else if (j.change == Change::ambiguous) {
    j.worth_rerun = pairs && static_cast<int>(next_again.size()) < rule.most_confirming_launches;
    if (j.worth_rerun) j.change = Change::suspect;
    j.reason = fmt::format("x {:.2f} at first, and the re-run does not tell: {}", first.ratio, j.reason);
  }
  return j;
}

}  // namespace shardbench
