#pragma once
#include "control/rank_start.hpp"

/// The rank process: serves the driver's commands until `finish` or until the driver is gone. Returns the exit status.
extern "C" __attribute__((visibility("default"))) int shardbench_rank_main(const shardbench::RankStart* start);

/// "LibTorch 2.13.0; ..." for the fingerprint: name=value pairs separated by newlines.
extern "C" __attribute__((visibility("default"))) const char* shardbench_rank_versions();
