#pragma once
#include <string>

#include "report/summary.hpp"

namespace shardbench {

inline RecordedCase recorded_case(std::string id, Status status = Status::ok, std::string detail = {}) {
  RecordedCase c;
  c.id = std::move(id);
  c.status = status;
  c.detail = std::move(detail);
  c.identity = {{"program", "training"}, {"strategy", "ddp"}, {"world", "2"}};
  c.quantities = Quantities(
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"total_bytes", "step_median_s"}),
      {8421440, 0.002883});
  c.invariants = {{"rest_equals_law", Verdict::passed, ""},
                  {"same_over_launches", Verdict::not_run, "there is one launch"}};
  return c;
}

/// A finished run with those cases.
inline ReportInput report_of(std::vector<RecordedCase> cases) {
  ReportInput input;
  input.run.suite = "nightly";
  input.run.started = "2026-07-30T01:00:00Z";
  input.run.finished = "2026-07-30T01:05:00Z";
  input.run.environment.cpu = "Xeon";
  input.run.environment.cores = 2;
  input.run.environment.commit = "1acb0b9";
  input.run.cases = std::move(cases);
  return input;
}

}  // namespace shardbench
