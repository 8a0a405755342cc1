#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "draw/gantt.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// One step of a pipeline case as it really ran, below the same plan simulated with the times that its actions took; in
/// milliseconds, both on one scale. Nothing where the case has no trace.
std::optional<Gantt> execution_gantt(const CaseResult& result);

/// The same step in Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open: a thread for each
/// rank, a slice for each action, communication too. Empty where the case has no trace.
std::string execution_trace(const CaseResult& result);

/// Writes the traces of all cases that have one to `folder`, one file per case, and makes the folder where it is
/// missing; the number of files. Throws `Error` where it cannot write.
std::size_t write_trace_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder);

}  // namespace shardbench
