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
  suspect,        ///< of times: not shown to be the same by the first look; a re-run decides
  ambiguous,      ///< the samples do not decide it
  not_comparable  ///< what it depends on differs, or one side has nothing
};

/// "same", "smaller", "larger", "suspect", "ambiguous", "not comparable"; of times "faster" and "slower".
std::string name_of(Change change, bool timed);

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
  std::string reason;         ///< of a suspect, or of ambiguous
  bool worth_rerun = false;   ///< a confirming re-run, or more turns of it, could settle it
  double base = 0, next = 0;  ///< medians over the launches
  double ratio = 1;           ///< how many times as long it takes now
  double p = 1;               ///< of the rank test in the direction of the ratio, one-sided
};

/// The first look: the same, or a suspect, which a re-run has to decide. Launches of two nights alone never make a time
/// larger or smaller: a machine in another mood does that too.
///
/// Same needs evidence: rank tests that exclude a change by the threshold, both ways (two one-sided tests, Schuirmann,
/// J. Pharmacokinetics and Biopharmaceutics 15 (1987)), and a ratio of less than a third of the threshold. The ratio is
/// the median over all pairs of a launch now and one of the base, the estimate that belongs to the rank test (Hodges
/// and Lehmann, Annals of Mathematical Statistics 34 (1963), of the logarithms). A side with fewer launches than the
/// rule asks for is ambiguous.
TimeJudgement judge_times(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& rule);

/// The judgement of a suspect after a confirming re-run, which decides.
///
/// Larger (smaller) where the ratio is at least 1 + threshold (at most 1 / (1 + threshold)), and the test says that it
/// is no chance; the same where the test excludes a change by the threshold, both ways.
///
/// `base_again[i]` and `next_again[i]` (as many) are launches of both builds in one turn, one right after the other, so
/// pairs are what is judged: whatever the machine did in that minute it did to both. The test is the signed-rank test
/// on the logarithms of the ratios, with `confirming_significance` for a change, and the ratio is the estimate that
/// belongs to it. Where they do not decide it, it stays a suspect up to `most_confirming_launches`.
///
/// `base_again` is empty where the base could not be run again: then its old launches are what the new ones of the
/// re-run are held against by the rank test, with `confirming_significance`.
///
/// A change that contradicts what the first look suspected is ambiguous.
TimeJudgement confirm_times(const LaunchMedians& base, const LaunchMedians& next, const LaunchMedians& base_again,
                            const LaunchMedians& next_again, const TimeRule& rule);

}  // namespace shardbench
