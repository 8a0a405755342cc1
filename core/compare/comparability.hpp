#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

namespace shardbench {

/// One thing that two results depend on and that was not the same.
struct FieldDifference {
  std::string field, base, next;
  bool operator==(const FieldDifference&) const = default;
};

/// "cpu is A in the base, but B now".
std::string text(const FieldDifference& difference);

/// What the results of a case depend on besides the code: cpu, cores, kernel, distribution, compiler, threads_per_rank,
/// each library ("LibTorch") and variable ("OMP_NUM_THREADS") by its name, comm_library, transport, wait_mode,
/// oversubscribed, single_copy, binding, btl; and what the suite says of the case ("batch", "model.widths", ...), its
/// numbers of steps to time, launches and deadline excepted. Commit, version and plugins are left out: they are what a
/// comparison is about.
struct Fingerprint {
  std::map<std::string, std::string> machine;   ///< what one side lacks differs
  std::map<std::string, std::string> settings;  ///< what one side lacks was not known to it, and does not count
};

/// Of the run alone: `settings` is empty.
Fingerprint fingerprint_of(const RecordedRun& run);
Fingerprint fingerprint_of(const RecordedRun& run, const RecordedCase& c);

/// Where they differ, by field.
std::vector<FieldDifference> differences(const Fingerprint& base, const Fingerprint& next);

}  // namespace shardbench
