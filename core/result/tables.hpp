#pragma once
#include <string>
#include <vector>

#include "result/case_result.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// What a run prints at its end: bytes at rest and at the peak, totals of the machine by world, saved tensors of the
/// pipeline, step times, collectives with their backends side by side, the largest deviation of each law, every failure
/// in full, and one line of counts. Cases are grouped by study and model, in the order in which they ran; bytes are of
/// the rank with the largest value, with commas between thousands. Where something was injected every heading says so.
std::string tables(const std::vector<CaseResult>& results, TextStyle style);

/// "INJECTED slowdown=0.25 (run --inject): ...", a line for what is shown before the tables, or empty.
std::string injected_line(const std::vector<CaseResult>& results, TextStyle style);

/// "24 cases: 23 ok, 1 failed; 310 invariants passed, 1 failed, 12 not run".
std::string summary_line(const std::vector<CaseResult>& results);

}  // namespace shardbench
