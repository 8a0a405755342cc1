#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "result/text_style.hpp"

/// The parts of `tables()`, for the files of this room.

namespace shardbench {

using Cases = std::vector<const CaseResult*>;

/// Cases of one study and model, in the order in which they ran.
struct Group {
  std::string title;  ///< "at-rest, mlp (8 layers, 526,336 parameters)"
  Cases cases;
};
std::vector<Group> groups_of(const std::vector<CaseResult>& results, Program program);

std::string at_rest_table(const Group& group, TextStyle style);
/// Empty where all cases have the same world.
std::string machine_table(const Group& group, TextStyle style);
std::string pipeline_table(const Group& group, TextStyle style);
std::string times_table(const Group& group, TextStyle style);
/// The cases of the program `collective`, by study and operation.
std::vector<Group> collective_groups(const std::vector<CaseResult>& results);
/// A row per size and backend: times, bandwidth, and how they compare with the first backend of the same call, judged
/// by launches (launch_ratio.hpp). `results`: all of the run, where the operations are that it must not be slower than.
std::string collective_table(const Group& group, const std::vector<CaseResult>& results, TextStyle style);
/// Law by law, how far the measured numbers are from the predicted ones at most, over all cases, ranks and launches;
/// laws that nothing was compared with are left out, and where that is all of them it is empty.
std::string law_deviations(const std::vector<CaseResult>& results, TextStyle style);
std::string failures(const std::vector<CaseResult>& results, TextStyle style);
/// Names the plugins that were compiled without optimization; empty where there are none.
std::string unoptimized(const std::vector<CaseResult>& results);

/// A case's cell of the column of that name (results.csv) as text: counts with commas, "-" where it is empty.
std::string shown(const CaseResult& result, std::string_view column);
/// The same as plain text, empty where it is empty.
std::string plain(const CaseResult& result, std::string_view column);
/// "ok" cases show nothing, so that the column is hidden where all are.
std::string shown_status(const CaseResult& result);
bool is_bad(const CaseResult& result);

}  // namespace shardbench
