#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "result/read_results.hpp"
#include "result/recorded_run.hpp"

/// A folder of many runs, as its summaries tell it.

namespace shardbench {

/// One case of a run: the numbers that are followed over runs.
struct HistoryCase {
  std::string id;
  Status status = Status::skipped;
  Quantities values;                 ///< counted columns and times, as in results.csv
  std::vector<Quantities> launches;  ///< the times of each launch (`RecordedLaunch::times`)
};

/// One run. All of it is in its file (`read_record`).
struct HistoryRun {
  std::filesystem::path file;
  std::string suite, filter, started, finished;  ///< as in RecordedRun
  std::string commit;                            ///< "-dirty" at its end where the source differed from it
  std::string fingerprint;                       ///< of the machine: equal where `fingerprint_of` it is
  std::string injected = {};                     ///< as in RecordedRun: such a run is shown, and no more
  bool green = false;
  std::vector<HistoryCase> cases;

  const HistoryCase* find(std::string_view id) const;
};

struct DamagedFile {
  std::filesystem::path file;
  std::string problem;
};

struct History {
  std::vector<HistoryRun> runs;      ///< the oldest first
  std::vector<DamagedFile> damaged;  ///< skipped
};

}  // namespace shardbench
