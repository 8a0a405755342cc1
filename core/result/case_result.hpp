#pragma once
#include <string>
#include <vector>

#include "control/report.hpp"
#include "shardbench/schedule.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// How a case ended: the column `status`.
enum class Status { ok, failed, crashed, timeout, skipped };

enum class Verdict { passed, failed, not_run };

/// One invariant on one case.
struct InvariantOutcome {
  std::string name;  ///< e.g. "rest_equals_law"
  Verdict verdict = Verdict::not_run;
  std::string message;  ///< both numbers and where they differ; why, if it was not run
};

/// What the driver knows of a schedule before it runs.
struct SchedulePrediction {
  Plan plan;
  std::vector<int> law_in_flight;                     ///< until I (or B), claimed by the schedule, per rank
  std::vector<int> law_in_flight_until_weight;        ///< until W (or B)
  std::vector<int> simulated_in_flight;               ///< until I (or B), by the core's simulator, per rank
  std::vector<int> simulated_in_flight_until_weight;  ///< until W (or B)
  std::vector<Traffic> traffic;                       ///< by the lowered plan, per rank, bytes included
};

/// One row of results.csv.
struct CaseResult {
  Case spec;
  Status status = Status::skipped;
  std::string detail;            ///< names the invariant or the fault
  std::vector<Launch> launches;  ///< empty where the case gave nothing
  SchedulePrediction schedule;   ///< pipeline
  std::vector<InvariantOutcome> invariants;
  double wall_s = 0;
  /// Its plugins that were compiled without optimization: "strategy mine, comm slow".
  std::string unoptimized = {};
  std::string injected = {};  ///< what was planted into its ranks on purpose (`run --inject`), or empty

  /// The launch that the counted columns come from: the first; they are the same in all (an invariant).
  const std::vector<RankReport>& ranks() const { return launches.front().ranks; }
  bool has_report() const { return !launches.empty() && !launches.front().ranks.empty(); }
};

std::string name_of(Status status);
std::string name_of(Verdict verdict);

}  // namespace shardbench
