#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compare/comparability.hpp"
#include "compare/judge_times.hpp"

namespace shardbench {

/// What a comparison says of one metric of one case.
struct MetricVerdict {
  std::string metric;  ///< a column of results/README.md
  bool timed = false;
  Change change = Change::same;
  Better better = Better::smaller;
  bool regression = false;  ///< changed for the worse
  std::string reason;       ///< why it is a suspect, ambiguous or not comparable
  /// Counted: of the rank whose value changed most. Timed: medians over launches, in seconds. Nothing where a side has
  /// no number.
  std::optional<double> base, next;
  std::optional<double> law;  ///< counted: what the law gives for that rank now
  int rank = -1;              ///< counted, where something changed
  // Timed; of the re-run where there was one.
  double ratio = 1;  ///< how many times as long it takes now
  double p = 1;
  bool worth_rerun = false;  ///< a confirming re-run, or more turns of it, could settle it
  /// The smallest slowdown that the gate would find in this case here (`detectable_slowdown`); nothing where the
  /// launches are too few to tell.
  std::optional<double> detectable;
  TimeRule rule;
  LaunchMedians base_launches, next_launches, base_again, next_again;
};

/// Whether it is a time that spreads so far that the gate would miss a slowdown which it is expected to find.
bool too_noisy(const MetricVerdict& verdict);

/// What a comparison says of one case that both sides have.
struct CaseVerdict {
  std::string id, suite;
  Status base_status = Status::ok, next_status = Status::ok;
  std::string reason;                        ///< why nothing of it is comparable, else empty
  std::vector<FieldDifference> differences;  ///< that stand in the way
  std::vector<FieldDifference> allowed;      ///< that were allowed
  std::vector<MetricVerdict> metrics;
  std::vector<std::string> metrics_new, metrics_gone;  ///< counted metrics that one side alone has
  std::vector<std::string> checks_gone;                ///< invariants that passed in the base and were not run now
};

/// One result that took part.
struct ComparedRun {
  std::string file, suite, started, commit;
  std::string injected = {};  ///< as in RecordedRun
};

struct Comparison {
  std::vector<ComparedRun> base, next;
  std::vector<std::string> allowed_fields;  ///< as asked for
  std::vector<CaseVerdict> cases;           ///< in both, in the order of the newer results
  std::vector<std::string> cases_new, cases_gone;
  bool confirmed = false;  ///< suspects were run again

  /// Verdicts of that kind over all cases and metrics.
  std::size_t count(Change change) const;
  std::size_t regressions() const;
  /// Times that are too noisy.
  std::size_t noisy() const;
  /// Something was compared: not every verdict is that it cannot be.
  bool compared() const;

 private:
  template <class Predicate>
  std::size_t count_if(Predicate predicate) const;
};

/// Makes a judgement on times that of the verdict.
void take_judgement(MetricVerdict& verdict, const TimeJudgement& judgement);

}  // namespace shardbench
