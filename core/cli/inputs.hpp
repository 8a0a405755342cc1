#pragma once
#include <vector>

#include "cli/arguments.hpp"
#include "plugin/catalogue.hpp"
#include "suite/case.hpp"
#include "suite/gate.hpp"

namespace shardbench {

/// Everything that the command line names, read and validated.
struct Inputs {
  Catalogue catalogue;
  std::vector<Suite> suites;
  std::vector<Gate> gates;  ///< of each suite
};

/// Throws `Error` (or `SuiteErrors`) where anything is wrong with a suite or a plugin named by the user, schedules'
/// own conditions included.
Inputs read_inputs(const Arguments& arguments);

/// The file itself, or the installed suite of that name (`notebook-3.13`, `notebook-3.13.toml`) if there is no such
/// file.
std::filesystem::path find_suite(const std::filesystem::path& named);
/// Folders that hold suites: suites/ here, and the install's.
std::vector<std::filesystem::path> suite_folders();

}  // namespace shardbench
