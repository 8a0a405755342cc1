#pragma once
#include <filesystem>
#include <string>

#include "history/history.hpp"

/// The form of a run in a history: two lines of JSON. The first is the summary, by which thousands of runs are read at
/// once; it says how long the second is, so that a file cut short is noticed. The second is the run without the raw
/// samples of single ranks: enough for a comparison.

namespace shardbench {

/// Changes when a field is renamed, removed or means something else; not when one is added.
inline constexpr int history_version = 1;

std::string record_text(const RecordedRun& run);

/// The summary alone. Throws `Error` that says what is wrong with the file.
HistoryRun read_summary(const std::filesystem::path& file, NamePool& pool);

/// The whole run. Throws `Error`.
RecordedRun read_record(const std::filesystem::path& file);

/// Ten hexadecimal digits that differ where what the machine's fingerprint holds differs.
std::string fingerprint_digest(const RecordedRun& run);

}  // namespace shardbench
