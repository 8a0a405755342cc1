#pragma once
#include <string>
#include <vector>

#include "history/series.hpp"

namespace shardbench {

/// The selection as tidy CSV, one number a row: started, suite, commit, fingerprint, green, case, status, metric,
/// launch, value, injected. `launch` counts from 0 in the rows of the times of single launches and is empty in all
/// others.
std::string history_csv(const std::vector<HistoryRun>& runs, const HistorySelection& selection);

}  // namespace shardbench
