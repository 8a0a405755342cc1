#pragma once
#include <cstdint>

namespace shardbench {

/// What a rank process starts with. Plain data: it crosses from the driver into the library `shardbench_rank`.
struct RankStart {
  int rank = 0;
  int world = 1;
  int descriptor = -1;             ///< connected socket to the driver
  const char* board_file = nullptr;
};

}  // namespace shardbench

/// The rank process: serves the driver's commands until `finish` or until the driver is gone. Returns the exit status.
extern "C" __attribute__((visibility("default"))) int shardbench_rank_main(const shardbench::RankStart* start);

/// "LibTorch 2.13.0; ..." for the fingerprint: name=value pairs separated by newlines.
extern "C" __attribute__((visibility("default"))) const char* shardbench_rank_versions();
