#pragma once
#include <optional>
#include <string>

#include "history/history.hpp"

namespace shardbench {

/// The baseline of a run by rule, or why there is none.
struct Baseline {
  std::optional<RecordedRun> run;
  std::string reason;  ///< where there is none: "the history has no green run of suite smoke"
};

/// The last green run of the same suites, with the same filter, on the same machine: with the fingerprint
/// (`fingerprint_of` a run) of `now`.
/// A file that is damaged beyond its summary is passed over for the one before.
Baseline find_baseline(const History& history, const RecordedRun& now);

}  // namespace shardbench
