#pragma once

namespace shardbench {

/// What a rank process starts with. Plain data: it crosses from the driver into the library `shardbench_rank`.
struct RankStart {
  int rank = 0;
  int world = 1;
  int descriptor = -1;  ///< connected socket to the driver
};

}  // namespace shardbench
