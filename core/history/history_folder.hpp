#pragma once
#include <filesystem>

#include "history/history.hpp"

namespace shardbench {

/// Adds a run to a history, and gives its file. The folder is made where it is missing.
///
/// One file per run, never changed again: its name begins with the time of the start and ends with random digits, it is
/// written whole under another name, flushed to the disk (fsync), and then given its own by link(2), which fails rather
/// than replace a file. So runs may add at the same time, and a reader, or a machine that loses its power, sees a run
/// whole or not at all. Throws `Error` when it cannot.
std::filesystem::path add_to_history(const std::filesystem::path& folder, const RecordedRun& run);

/// All runs of a folder. Files that are damaged are named and skipped. Throws `Error` where there is no such folder.
History read_history(const std::filesystem::path& folder);

}  // namespace shardbench
