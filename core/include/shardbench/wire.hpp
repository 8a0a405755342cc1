#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/comm.hpp"

/// What one rank sends and receives, exactly. Two laws:
///
/// - of an operation, whatever carries it out: the bandwidth-optimal ring's, with f = (N-1)/N: all-reduce 2f,
///   reduce-scatter and all-gather f of the whole array (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms",
///   JPDC 2009), broadcast by binomial tree, all-to-all f, send 1. Strategies and schedules predict by it.
/// - of an algorithm that a backend names (`wire::of_algorithm`): what the backend must have put on the wire.

namespace shardbench {

/// Calls and bytes of one operation on one rank.
struct OperationTraffic {
  std::uint64_t calls = 0;
  std::uint64_t payload_bytes = 0;   ///< handed to the backend: the whole array of a collective, the message of a send
  std::uint64_t sent_bytes = 0;      ///< sent by this rank, by the law of the operation
  std::uint64_t received_bytes = 0;  ///< received by this rank, by the law of the operation
  bool operator==(const OperationTraffic&) const = default;
};

/// Traffic by operation, indexed by `Operation`.
struct Traffic {
  std::array<OperationTraffic, operation_count> operations{};
  OperationTraffic& operator[](Operation op) { return operations[static_cast<std::size_t>(op)]; }
  const OperationTraffic& operator[](Operation op) const { return operations[static_cast<std::size_t>(op)]; }
  std::uint64_t sent_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& o : operations) sum += o.sent_bytes;
    return sum;
  }
  std::uint64_t received_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& o : operations) sum += o.received_bytes;
    return sum;
  }
  bool operator==(const Traffic&) const = default;
};

/// n elements in `world` parts as even as they can be: the first n mod world parts have one more.
inline std::vector<std::size_t> even_parts(std::size_t n, int world) {
  const auto w = static_cast<std::size_t>(world);
  std::vector<std::size_t> parts(w, n / w);
  for (std::size_t r = 0; r < n % w; ++r) ++parts[r];
  return parts;
}

/// What the algorithms that a backend names send for its calls.
struct WireClaim {
  std::uint64_t sent_bytes = 0;
  std::string
      without_law;  ///< the first call whose algorithm has no law, "all_reduce by 'own'"; then the bytes say nothing
};

namespace wire {

/// Elements sent and received by one rank.
struct Moved {
  std::uint64_t sent = 0, received = 0;
};

inline std::uint64_t sum(std::span<const std::size_t> parts) {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

/// Ring: part k starts at rank k+1 and ends, reduced, on rank k, so rank r sends all parts but its own and receives all
/// but that of its left neighbour.
inline Moved reduce_scatter(std::span<const std::size_t> parts, int rank) {
  const auto world = parts.size();
  const auto r = static_cast<std::size_t>(rank);
  if (world < 2) return {};
  return {sum(parts) - parts[r], sum(parts) - parts[(r + world - 1) % world]};
}

/// Ring: part k starts on rank k and goes round to rank k-1, so rank r sends all parts but that of its right neighbour
/// and receives all but its own.
inline Moved all_gather(std::span<const std::size_t> parts, int rank) {
  const auto world = parts.size();
  const auto r = static_cast<std::size_t>(rank);
  if (world < 2) return {};
  return {sum(parts) - parts[(r + 1) % world], sum(parts) - parts[r]};
}

/// reduce_scatter then all_gather of even parts.
inline Moved all_reduce(std::size_t n, int world, int rank) {
  const auto parts = even_parts(n, world);
  const Moved a = reduce_scatter(parts, rank), b = all_gather(parts, rank);
  return {a.sent + b.sent, a.received + b.received};
}

/// Children of `rank` in the binomial tree rooted at `root`: relative rank v sends to v + 2^k for every 2^k below the
/// lowest set bit of v (any, for the root) with v + 2^k < world.
inline int broadcast_children(int world, int rank, int root) {
  const int v = (rank - root + world) % world;
  int children = 0;
  for (int step = 1; step < world && (v & step) == 0; step <<= 1)
    if (v + step < world) ++children;
  return children;
}

inline Moved broadcast(std::size_t n, int world, int rank, int root) {
  return {n * static_cast<std::uint64_t>(broadcast_children(world, rank, root)), rank == root ? 0 : n};
}

inline Moved all_to_all(std::size_t count, int world) {
  const auto moved = count * static_cast<std::uint64_t>(world - 1);
  return {moved, moved};
}

/// One call, as the laws of algorithms need it.
struct Call {
  Operation op = Operation::barrier;
  /// Elements of the whole array by rank: the parts of a reduce_scatter or all_gather, the blocks of an all_to_all,
  /// even parts of an all_reduce. The whole of a broadcast, send or recv is the sum.
  std::span<const std::size_t> parts;
  int rank = 0;
  int root = 0;  ///< of a broadcast

  int world() const noexcept { return static_cast<int>(parts.size()); }
};

inline bool is_power_of_two(int world) { return world > 0 && (world & (world - 1)) == 0; }

/// Halves what a rank has and gives one half to the rank whose number differs in the highest remaining bit, until the
/// own part is left; reversed, it doubles (Thakur, Rabenseifner and Gropp, "Optimization of collective communication
/// operations in MPICH", IJHPCA 2005, sections 4.1 and 4.4). Of a power of two ranks.
inline Moved halving(const Call& call) {
  const auto block = [&](int rank, int ranks) {
    const int first = rank / ranks * ranks;
    return sum(call.parts.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(ranks)));
  };
  Moved moved;
  for (int half = call.world() / 2; half > 0; half /= 2) {
    moved.sent += block(call.rank ^ half, half);
    moved.received += block(call.rank, half);
  }
  return moved;
}

/// Blocks that Bruck's all-to-all sends a rank: in round k those whose distance has bit k (Bruck et al., "Efficient
/// algorithms for all-to-all communications", IEEE TPDS 1997).
inline std::uint64_t bruck_blocks(int world) {
  std::uint64_t blocks = 0;
  for (int distance = 1; distance < world; ++distance)
    blocks += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(distance)));
  return blocks;
}

/// An algorithm of an operation, under the name by which backends claim it, and its law.
struct Algorithm {
  Operation op;
  std::string_view name;
  Moved (*moved)(const Call&);
  bool power_of_two = false;  ///< defined for such worlds alone
};

/// All algorithms with a law (docs/laws.md, "On the wire").
inline constexpr Algorithm algorithms[] = {
    {Operation::barrier, "dissemination", [](const Call&) { return Moved{}; }},
    {Operation::broadcast, "binomial tree",
     [](const Call& c) { return broadcast(sum(c.parts), c.world(), c.rank, c.root); }},
    {Operation::broadcast, "linear",
     [](const Call& c) {
       const auto n = sum(c.parts);
       return c.rank == c.root ? Moved{n * static_cast<std::uint64_t>(c.world() - 1), 0} : Moved{0, n};
     }},
    {Operation::all_reduce, "ring", [](const Call& c) { return all_reduce(sum(c.parts), c.world(), c.rank); }},
    {Operation::all_reduce, "exchange",
     [](const Call& c) {
       const auto n = sum(c.parts) * static_cast<std::uint64_t>(c.world() - 1);
       return Moved{n, n};
     }},
    {Operation::all_reduce, "recursive doubling",
     [](const Call& c) {
       const auto n = sum(c.parts) * static_cast<std::uint64_t>(std::countr_zero(static_cast<unsigned>(c.world())));
       return Moved{n, n};
     },
     true},
    {Operation::all_reduce, "halving-doubling",
     [](const Call& c) {
       const Moved half = halving(c);
       return Moved{half.sent + half.received, half.sent + half.received};
     },
     true},
    {Operation::reduce_scatter, "ring", [](const Call& c) { return reduce_scatter(c.parts, c.rank); }},
    {Operation::reduce_scatter, "pairwise",
     [](const Call& c) {
       const auto mine = c.parts[static_cast<std::size_t>(c.rank)];
       return Moved{sum(c.parts) - mine, mine * static_cast<std::uint64_t>(c.world() - 1)};
     }},
    {Operation::reduce_scatter, "halving", halving, true},
    {Operation::all_gather, "ring", [](const Call& c) { return all_gather(c.parts, c.rank); }},
    {Operation::all_gather, "pairwise",
     [](const Call& c) {
       const auto mine = c.parts[static_cast<std::size_t>(c.rank)];
       return Moved{mine * static_cast<std::uint64_t>(c.world() - 1), sum(c.parts) - mine};
     }},
    {Operation::all_gather, "doubling",
     [](const Call& c) {
       const Moved back = halving(c);
       return Moved{back.received, back.sent};
     },
     true},
    {Operation::all_to_all, "pairwise", [](const Call& c) { return all_to_all(c.parts[0], c.world()); }},
    {Operation::all_to_all, "bruck",
     [](const Call& c) {
       const auto n = c.parts[0] * bruck_blocks(c.world());
       return Moved{n, n};
     }},
    {Operation::send, "direct",
     [](const Call& c) {
       return Moved{sum(c.parts), 0};
     }},
    {Operation::recv, "direct",
     [](const Call& c) {
       return Moved{0, sum(c.parts)};
     }},
};

/// What a rank moves for a call by the algorithm that a backend names: the words before the first comma of
/// `Comm::algorithm` ("ring, sync" is "ring"). A reduce_scatter by "NAME all_reduce" is an all_reduce by NAME of the
/// whole array, of which each rank keeps its part. Null where the name has no law, or none for that world. One rank
/// moves nothing, whatever the name.
inline std::optional<Moved> of_algorithm(std::string_view claim, const Call& call) {
  if (call.world() < 2) return Moved{};
  std::string_view name = claim.substr(0, claim.find(','));
  constexpr std::string_view whole = " all_reduce";
  if (call.op == Operation::reduce_scatter && name.ends_with(whole)) {
    const auto even = even_parts(sum(call.parts), call.world());
    name.remove_suffix(whole.size());
    return of_algorithm(name, {Operation::all_reduce, even, call.rank});
  }
  for (const Algorithm& algorithm : algorithms)
    if (algorithm.op == call.op && algorithm.name == name && (!algorithm.power_of_two || is_power_of_two(call.world())))
      return algorithm.moved(call);
  return std::nullopt;
}

}  // namespace wire

/// Adds one call of an operation. `payload_elements` and `moved` are in elements of `element_bytes`.
inline void add_call(Traffic& traffic, Operation op, std::uint64_t payload_elements, wire::Moved moved,
                     std::uint64_t element_bytes) {
  auto& t = traffic[op];
  t.calls += 1;
  t.payload_bytes += payload_elements * element_bytes;
  t.sent_bytes += moved.sent * element_bytes;
  t.received_bytes += moved.received * element_bytes;
}

}  // namespace shardbench
