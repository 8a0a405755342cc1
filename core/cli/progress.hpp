#pragma once
#include <cstddef>
#include <string>

#include "result/case_result.hpp"

namespace shardbench {

/// Standard output is a terminal that may show colour (NO_COLOR unset, TERM not dumb).
bool colour_wanted(int descriptor);

/// What a run is doing, on standard error: one live line on a terminal, else one line per case.
class Progress {
 public:
  explicit Progress(std::size_t cases);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Case `number` (from 1) is doing `what`: "reference", "checked steps", "audit", "timing".
  void doing(std::size_t number, const std::string& id, const std::string& what);
  void done(std::size_t number, const CaseResult& result);

 private:
  void erase_line();

  std::size_t cases_;
  bool live_, colour_;
  bool line_shown_ = false;
};

}  // namespace shardbench
