#pragma once
#include <string>
#include <vector>

#include "suite/gate.hpp"

namespace shardbench {

/// What a comparison says of a metric.
enum class Change {
  same,
  smaller,        ///< of times: faster
  larger,         ///< of times: slower
  ambiguous,      ///< the samples do not decide it
  not_comparable  ///< what it depends on differs, or one side has nothing
};

/// One side of a comparison: the median of each launch, in seconds. Launches are the samples: within one they depend on
/// each other.
using LaunchMedians = std::vector<double>;

/// When times count as different.
struct TimeRule {
  double threshold = 0.15;
  int launches = 5;
  double significance = 0.05;
  int confirming_launches = 20, most_confirming_launches = 100;
  double confirming_significance = 0.0001;
};

TimeRule rule_for(const std::string& metric, const Gate& gate);

struct TimeJudgement {
  Change change = Change::ambiguous;
  std::string reason;         ///< of ambiguous
  bool suspect = false;       ///< worth a confirming re-run
  double base = 0, next = 0;  ///< medians over the launches
  double ratio = 1;           ///< how many times as long it takes now
  double p = 1;               ///< of the rank test in the direction of the ratio, one-sided
};

/// Larger (smaller) where the ratio is at least 1 + threshold (at most 1 / (1 + threshold)), and the rank test says
/// that it is no chance. The ratio is the median over all pairs of a launch now and one of the base, the estimate that
/// belongs to the rank test (Hodges and Lehmann, Annals of Mathematical Statistics 34 (1963), of the logarithms).
///
/// Same needs evidence too: rank tests that exclude a change by the threshold, both ways (two one-sided tests,
/// Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987)). All else is ambiguous, as is a side with fewer
/// launches than the rule asks for.
///
/// A suspect, which a re-run is worth: whatever is not the same by that evidence, and a ratio of a third of the
/// threshold or more even if it is.
TimeJudgement judge_times(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule);

/// The judgement of a suspect after a confirming re-run, which decides.
///
/// `base_again[i]` and `next_again[i]` (as many) are launches of both builds in one turn, one right after the other, so
/// pairs are what is judged: whatever the machine did in that minute it did to both. The rule is the same, with the
/// signed-rank test on the logarithms of the ratios, `confirming_significance` for a change, and the estimate that
/// belongs to it. Where they do not decide it, it stays a suspect up to `most_confirming_launches`.
///
/// `base_again` is empty where the base could not be run again: then its old launches are what the new ones of the
/// re-run are held against, as by `judge_times`, with `confirming_significance`.
///
/// A change that contradicts one of the first look is ambiguous.
TimeJudgement confirm_times(const LaunchMedians& base, const LaunchMedians& next, const LaunchMedians& base_again,
                            const LaunchMedians& next_again, const TimeRule& rule);

}  // namespace shardbench
