#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <boost/interprocess/mapped_region.hpp>

#include "shardbench/comm.hpp"

namespace shardbench {

/// One operation as a rank announces it. Equal on all ranks for a collective, `peer` and `tag` aside.
struct BoardEntry {
  Operation op = Operation::barrier;
  DType dtype = DType::float32;
  ReduceOp reduce = ReduceOp::sum;
  std::int32_t peer = -1;  ///< root of a broadcast, peer of a send or recv
  std::uint32_t tag = 0;
  std::uint64_t count = 0;  ///< elements of the whole array
};

/// What one rank is doing, as others see it.
struct RankState {
  std::uint64_t collectives = 0;  ///< collectives entered so far
  bool inside = false;            ///< in an operation (or waiting for it) now
  std::optional<BoardEntry> last;
  double seconds_ago = 0;  ///< since that operation began (inside) or ended
};

/// Memory shared by the driver and all ranks of a group: each rank writes what it is doing before it does it.
///
/// Two uses: the driver names the operation of a rank that hung or died; and a rank that enters a collective compares
/// it with its peers' of the same sequence number, so a disagreement is found by the later rank before the call reaches
/// the backend, where it would hang or corrupt. A few relaxed stores a call; no rank ever waits here.
class Board {
 public:
  /// Makes the file and maps it (driver).
  static Board create(const std::filesystem::path& file, int world);
  /// Maps an existing one (rank).
  static Board open(const std::filesystem::path& file, int world);

  /// Announces rank's next operation. Throws `Error` if it is a collective that differs from a peer's.
  void begin(int rank, const BoardEntry& entry);
  void end(int rank);

  RankState state(int rank) const;
  int world() const noexcept { return world_; }

 private:
  struct Slot;
  struct RankBoard;
  Board(boost::interprocess::mapped_region region, int world);
  RankBoard& of(int rank) const;

  boost::interprocess::mapped_region region_;
  int world_;
};

/// "all_reduce of 526336 float32", "send of 128 float32 to rank 1 (tag 6)".
std::string text(const BoardEntry& entry);

}  // namespace shardbench
