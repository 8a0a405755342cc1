#pragma once
#include <cstdint>
#include <string>

namespace shardbench {

/// What is planted into every rank on purpose, to see whether a gate finds it (`shardbench gate-check`, `run
/// --inject`).
struct Planted {
  double slowdown = 0;      ///< share of each timed step that the rank waits, busy, inside the step
  std::uint64_t bytes = 0;  ///< that the rank keeps as weights beyond what its program does

  bool any() const noexcept { return slowdown > 0 || bytes > 0; }
};

/// "slowdown=0.25,bytes=1", or empty.
std::string text(const Planted& planted);

/// Takes in "slowdown=SHARE" (up to 100) or "bytes=COUNT". Throws `Error` where it is neither.
void plant(const std::string& what, Planted& planted);

}  // namespace shardbench
