#pragma once
#include <map>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

namespace shardbench {

/// One thing that is worth a line in a report: a metric that is not what it was.
struct ReportedChange {
  std::string id;       ///< of the case
  std::string metric;   ///< a column of results/README.md; empty where the whole case is meant
  std::string verdict;  ///< "slower", "larger", "ambiguous", "not comparable", "new", "gone"...
  bool regression = false;
  std::optional<double> before, now;
  std::string note;
  std::optional<double> ratio =
      {};  ///< of times: how many times as long, as judged (docs/compare.md); not now / before
};

/// A time that spreads so far that the gate would miss a slowdown which it is expected to find (docs/compare.md).
struct NoisyTime {
  std::string id, metric;
  std::optional<double> detectable;  ///< the smallest slowdown that it would find, 0.4 of 40 %; nothing: none
};

/// How a run compares with its baseline, as a report tells it.
struct ReportedComparison {
  std::string baseline;                       ///< "2026-07-30T14:05:09Z, commit 1acb0b9"
  std::string note;                           ///< what else is to be known
  std::map<std::string, std::size_t> counts;  ///< verdicts over all cases and metrics
  std::vector<ReportedChange> changes;        ///< all that is not "same"
  bool compared = true;                       ///< not every verdict is that it cannot be
  std::vector<NoisyTime> noisy = {};          ///< in which "same" does not mean that nothing got slower

  std::size_t regressions() const;
};

/// A metric of a case over the runs of a history.
struct ReportedSeries {
  struct ChangePoint {
    std::size_t last_before = 0, first_after = 0;  ///< indices of runs
    double before = 0, after = 0;
  };
  std::string id, metric;
  std::vector<double> values;  ///< one per run; NaN where the run has none
  std::vector<ChangePoint> change_points;
};

/// The past of a run, as a report tells it.
struct ReportedHistory {
  struct Run {
    std::string started, commit;
  };
  std::vector<Run> runs;  ///< the oldest first
  std::vector<ReportedSeries> series;
};

/// All that a report is made from.
struct ReportInput {
  RecordedRun run;
  std::optional<ReportedComparison> comparison;
  std::optional<ReportedHistory> history;
};

/// What is said first: one sentence, green or red, and the counts behind it.
struct Summary {
  bool green = false;
  std::string headline;                           ///< "Green: all 24 cases are right"
  std::map<std::string, std::size_t> cases;       ///< by status
  std::map<std::string, std::size_t> invariants;  ///< by verdict, over all cases
  std::size_t regressions = 0;
};

/// Green where the run came to its end, has cases, each of them is `ok`, nothing regressed and nothing was injected.
Summary summary_of(const ReportInput& input);

/// "3 cases are too noisy to show a slowdown of 25 %". Of a comparison with noisy times.
std::string noisy_text(const ReportedComparison& comparison);

/// "1 case", "24 cases"
std::string counted(std::size_t count, const std::string& what);

}  // namespace shardbench
