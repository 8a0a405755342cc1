#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/predictions.hpp"
#include "plugin/catalogue.hpp"
#include "suite/case.hpp"
#include "suite/gate.hpp"

namespace shardbench {

/// Everything that the command line names, read and validated.
struct Inputs {
  Catalogue catalogue;
  std::vector<Suite> suites;
  std::vector<Gate> gates;  ///< of each suite
  std::unique_ptr<PluginHost> host = std::make_unique<PluginHost>();
  std::map<std::string, PredictedPipeline> pipelines = {};  ///< by id of the case
};

/// Throws `Error` (or `SuiteErrors`) where anything is wrong with a suite or a plugin named by the user, schedules'
/// own conditions included. A schedule that misbehaves is no error here: its cases have that fault.
Inputs read_inputs(const Arguments& arguments);

/// The file itself, or the installed suite of that name (`notebook-3.13`, `notebook-3.13.toml`) if there is no such
/// file.
std::filesystem::path find_suite(const std::filesystem::path& named);
/// Folders that hold suites: suites/ here, and the install's.
std::vector<std::filesystem::path> suite_folders();

}  // namespace shardbench
