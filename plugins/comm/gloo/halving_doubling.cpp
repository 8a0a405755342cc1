#include "halving_doubling.hpp"

#include "comm/reduce.hpp"

namespace shardbench::gloo_comm {

bool can_halve(int world, std::size_t bytes) {
  constexpr std::size_t largest_element = 8;
  return world > 1 && (world & (world - 1)) == 0 && bytes % (static_cast<std::size_t>(world) * largest_element) == 0;
}

void all_reduce_halving_doubling(Link& link, void* data, std::size_t count, DType dtype, ReduceOp op) {
  auto* const bytes = static_cast<std::byte*>(data);
  const std::size_t total = count * size_of(dtype), part = total / static_cast<std::size_t>(link.world());
  // The block of `parts` parts, aligned to its size, that holds this rank's or its peer's part.
  const auto block = [&](int rank, int parts) {
    return Stretch{static_cast<std::size_t>(rank / parts * parts) * part, static_cast<std::size_t>(parts) * part};
  };
  for (int half = link.world() / 2; half > 0; half /= 2) {  // keeps a half of what it has, gives the peer the other
    const int peer = link.rank() ^ half;
    const Stretch kept = block(link.rank(), half), given = block(peer, half);
    auto to = link.outgoing(peer, data, total);
    auto from = link.incoming(peer, link.staging(), Link::chunk_bytes);
    in_turn(
        to, given, from, kept, [](std::size_t) { return std::size_t{0}; },
        [&](std::size_t offset, std::size_t some) {
          std::byte* mine = bytes + kept.offset + offset;
          reduce(mine, mine, link.staging(), some / size_of(dtype), dtype, op);
        });
  }
  for (int have = 1; have < link.world(); have *= 2) {  // swaps what it has with the peer
    const int peer = link.rank() ^ have;
    const Stretch mine = block(link.rank(), have), theirs = block(peer, have);
    auto to = link.outgoing(peer, data, total);
    auto from = link.incoming(peer, data, total);
    in_turn(
        to, mine, from, theirs, [&](std::size_t offset) { return mine.offset + offset; },
        [](std::size_t, std::size_t) {});
  }
}

}  // namespace shardbench::gloo_comm
