#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "result/fingerprint.hpp"
#include "suite/gate.hpp"

namespace shardbench {

/// One call of `shardbench run`.
struct RunInfo {
  std::string suite;  ///< name; several are joined by '+'
  std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
  std::vector<std::string> command_line;  ///< as typed
  Environment environment;
  std::map<std::string, Gate> gates;  ///< of the suites, by name
  std::string filter;                 ///< which cases of the suite were chosen (`run --filter`), or empty: all
  std::string injected;               ///< what was planted on purpose (`run --inject`), or empty
};

/// "2026-07-30T14:05:09Z".
std::string utc_text(std::chrono::system_clock::time_point time);
/// "20260730T140509Z".
std::string utc_compact(std::chrono::system_clock::time_point time);

}  // namespace shardbench
