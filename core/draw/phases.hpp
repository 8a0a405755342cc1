#pragma once
#include <string>
#include <vector>

#include "draw/bars.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// What `run --phases` prints: the table of peaks, then the picture of every case's step.
std::string phases_report(const std::vector<CaseResult>& results, const BarStyle& style);

}  // namespace shardbench
