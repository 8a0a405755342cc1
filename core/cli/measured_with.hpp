#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

/// With what results were measured, for a re-run in the same working folder.

namespace shardbench {

/// Suite files of those cases. Throws `Error` where one is not there.
std::set<std::string> suites_of(const std::vector<RecordedRun>& measured, const std::vector<std::string>& cases);

/// Those of the options, with their values, that are on a command line.
std::vector<std::string> options_in(const std::vector<std::string>& typed, const std::vector<std::string>& options);

/// Every plugin file that the same command line finds now, shadowed ones included. Throws `Error` where a file of
/// --plugin cannot be used any more.
std::vector<std::filesystem::path> plugins_at_hand(const std::vector<RecordedRun>& measured,
                                                   const std::vector<std::string>& cases);

}  // namespace shardbench
