#pragma once
#include <filesystem>
#include <string>

#include "result/case_result.hpp"
#include "result/junit.hpp"
#include "result/machine_load.hpp"
#include "result/run_info.hpp"
#include "result/swapped_file.hpp"

namespace shardbench {

/// Writes results.csv, ranks.csv, results.json and junit.xml of a run into a folder.
///
/// After every case each file is whole and in place (`SwappedFile`), so a reader, or a run cut short by Ctrl-C or a
/// crash, always has complete files with all cases so far. A case is turned into text once.
///
///     ResultWriter writer(new_run_folder("results", suite.name), {.suite = suite.name, ...});
///     writer.add(result);
///     writer.finish();
class ResultWriter {
 public:
  /// Makes the folder where it is missing and writes the files without a case. Throws `Error` when it cannot.
  ResultWriter(std::filesystem::path folder, RunInfo run);

  void add(const CaseResult& result);
  /// Writes the time of the end, and what else the machine did since the writer was made: all ranks have to have ended.
  MachineLoad finish();

  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  void write(const std::string& end);

  std::filesystem::path folder_;
  RunInfo run_;
  LoadObserver observer_;
  std::string results_csv_, ranks_csv_, json_, junit_cases_;
  JunitCounts counts_;
  SwappedFile results_csv_file_, ranks_csv_file_, json_file_, junit_file_;
};

}  // namespace shardbench
