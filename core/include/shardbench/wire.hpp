#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "shardbench/comm.hpp"

/// What a collective moves, by law: bytes that one rank sends, exactly, with f = (N-1)/N:
/// all-reduce 2f, reduce-scatter and all-gather f of the whole array (ring: Patarasuk and Yuan, "Bandwidth optimal
/// all-reduce algorithms", JPDC 2009), broadcast by binomial tree, all-to-all f, send 1.

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
