#pragma once
#include "history/history.hpp"
#include "report/summary.hpp"

namespace shardbench {

/// The part of a history that a report of `now` shows: the newest runs of the same suites on the same machine, the step
/// time of each case, and every other metric that has changed for good.
ReportedHistory reported_history(const History& history, const RecordedRun& now);

}  // namespace shardbench
