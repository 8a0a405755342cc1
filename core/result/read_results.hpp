#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

namespace shardbench {

/// Lists of names that rows share: equal lists are kept once.
class NamePool {
 public:
  Quantities::Names shared(std::vector<std::string> names);

 private:
  std::vector<Quantities::Names> lists_;
};

/// Reads a run from its folder or its results.json.
///
/// Throws `Error` where it is missing, cut off, no results.json, or of a newer schema (`results_schema_version`): one
/// message, which names the file and the member.
RecordedRun read_results(const std::filesystem::path& folder_or_file);

/// The environment as `environment_json` writes it. Throws what nlohmann::json throws.
Environment environment_of(const nlohmann::json& json);

/// By its name, as the column `status` has it. Throws `Error`.
Status status_named(const std::string& name);
/// Throws `Error`.
Verdict verdict_named(const std::string& name);

/// All of a file that is to be read. Throws `Error` where there is none.
std::string file_text(const std::filesystem::path& file);

}  // namespace shardbench
