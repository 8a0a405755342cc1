#pragma once
#include "control/rank_start.hpp"

namespace shardbench {
struct Case;
struct LawInput;
}  // namespace shardbench

/// The rank process: serves the driver's commands until `finish` or until the driver is gone. Returns the exit status.
extern "C" __attribute__((visibility("default"))) int shardbench_rank_main(const shardbench::RankStart* start);

/// What the law of a training case's strategy is evaluated on for rank 0; the other ranks' differ in `rank` alone.
extern "C" __attribute__((visibility("default"))) void shardbench_rank_law_input(const shardbench::Case& spec,
                                                                                 shardbench::LawInput& input);

/// "LibTorch 2.13.0; ..." for the fingerprint: name=value pairs separated by newlines.
extern "C" __attribute__((visibility("default"))) const char* shardbench_rank_versions();
