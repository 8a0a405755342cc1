#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shardbench/wire.hpp"
#include "suite/case.hpp"

/// What one collective moves, and the bandwidths by which operations and worlds are compared (docs/laws.md).

namespace shardbench {

/// Elements of the whole array of a case of the program `collective`; 0 where it has none.
std::uint64_t array_elements(const Case& spec);

/// The rank that broadcasts in the audit and the timed steps; in the checked one it is the last rank.
inline constexpr int timed_root = 0;

/// A message of an exchange: rank r sends it to rank r + `to` and receives the one of rank r - `to`, indices modulo the
/// world.
struct ExchangedMessage {
  int to = 1;
  std::uint32_t tag = 0;
};

/// What every rank does in a case that exchanges messages. The array is cut in even parts, one for each message;
/// message i lands in part i of the receiver's output.
struct Exchange {
  std::vector<ExchangedMessage> messages;  ///< in the order in which sends are started, before any receive
  std::vector<std::size_t> received;       ///< messages in the order in which receives are started
  bool one_by_one = false;                 ///< a receive is complete before the next one is started
};
const Exchange& exchange_of(Collective operation);

/// Calls and bytes of one step of the case on a rank.
Traffic collective_traffic(const Case& spec, int rank);

/// The share of the array that a rank must move, so that a rank's link speed is what `busbw` shows: all-reduce
/// 2(N-1)/N; reduce-scatter, all-gather and all-to-all (N-1)/N; broadcast and send 1 (the definition of nccl-tests,
/// doc/PERFORMANCE.md). Nothing for a barrier, and in a world of 1, where nothing is moved.
std::optional<double> bus_share(Collective operation, int world);

/// Bytes of the whole array over seconds; `busbw` times the share above. Nothing where that has none.
struct Bandwidth {
  std::optional<double> algbw_Bps, busbw_Bps;
};
Bandwidth bandwidth(const Case& spec, double seconds);

}  // namespace shardbench
