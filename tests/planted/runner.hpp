#pragma once
#include <string>

#include <nlohmann/json.hpp>

namespace shardbench::testing {

/// What one call of the driver gave.
struct Outcome {
  int exit_code = -1;
  std::string output;      ///< stdout and stderr together
  nlohmann::json results;  ///< results.json, or null where there is none
};

/// Writes `suite` to a file in a fresh folder and calls `shardbench COMMAND suite.toml FLAGS` with the planted plugins;
/// `run` gets `--out` too, `list` no suite. The folder is removed afterwards.
Outcome call_driver(const std::string& command, const std::string& suite = "", const std::string& flags = "");

}  // namespace shardbench::testing
