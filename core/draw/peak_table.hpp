#pragma once
#include <string>
#include <vector>

#include "result/case_result.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// One line per case: the step's peak beside the law's, its moment, and what is alive then by role, of the rank with
/// the highest peak. Empty where no case reported phases.
std::string peak_table(const std::vector<CaseResult>& results, TextStyle style);

}  // namespace shardbench
