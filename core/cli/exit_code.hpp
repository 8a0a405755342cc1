#pragma once
#include <algorithm>
#include <array>

namespace shardbench {

/// What `shardbench` exits with (README.md, "Exit codes").
enum class ExitCode : int {
  ok = 0,
  failed = 1,       ///< an invariant failed
  usage = 2,        ///< bad usage, a bad suite or a bad plugin: nothing was run
  regression = 3,   ///< a comparison found a regression
  fault = 4,        ///< a case crashed or timed out
  nothing_ran = 5,  ///< or nothing was compared
  interrupted = 130
};

/// The one to exit with where both apply: interrupted, failed, fault, regression, nothing ran, ok, in this order. A
/// regression is not to hide that numbers are wrong.
constexpr ExitCode graver(ExitCode a, ExitCode b) {
  constexpr std::array order = {ExitCode::interrupted, ExitCode::usage,       ExitCode::failed, ExitCode::fault,
                                ExitCode::regression,  ExitCode::nothing_ran, ExitCode::ok};
  return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b) ? a : b;
}

}  // namespace shardbench
