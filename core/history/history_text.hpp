#pragma once
#include <string>
#include <vector>

#include "history/change_points.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// A history for a terminal: its runs (red where they are not green), damaged files, and lasting changes with the
/// commits between which they came.
std::string history_text(const std::vector<HistoryRun>& runs, const std::vector<DamagedFile>& damaged,
                         const std::vector<LastingChange>& changes, TextStyle style);

}  // namespace shardbench
