#pragma once

namespace shardbench {

/// What `shardbench` exits with (README.md, "Exit codes"). Where several apply, the first of failed, fault counts.
enum class ExitCode : int {
  ok = 0,
  failed = 1,      ///< an invariant failed
  usage = 2,       ///< bad usage, a bad suite or a bad plugin: nothing was run
  regression = 3,  ///< a comparison found a regression
  fault = 4,       ///< a case crashed or timed out
  nothing_ran = 5,
  interrupted = 130
};

}  // namespace shardbench
