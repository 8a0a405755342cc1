#include "ring.hpp"

#include <cstring>
#include <vector>

#include "comm/reduce.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::gloo_comm {
namespace {

/// Where the parts of an array lie, in bytes. Indices are taken modulo the world.
class Parts {
 public:
  Parts(std::span<const std::size_t> counts, std::size_t element) {
    parts_.reserve(counts.size());
    for (const std::size_t count : counts) {
      parts_.push_back({total_, count * element});
      total_ += count * element;
    }
  }
  const Stretch& operator[](int index) const {
    const int world = static_cast<int>(parts_.size());
    return parts_[static_cast<std::size_t>(((index % world) + world) % world)];
  }
  std::size_t total() const noexcept { return total_; }

 private:
  std::vector<Stretch> parts_;
  std::size_t total_ = 0;
};

std::byte* bytes_of(void* p) { return static_cast<std::byte*>(p); }

/// Part k starts on rank k + 1, collects every rank's share on its way round and ends on rank k, in `output`.
void ring_reduce(Link& link, std::byte* input, std::byte* output, const Parts& parts, DType dtype, ReduceOp op) {
  const int rank = link.rank(), world = link.world();
  auto to = link.outgoing((rank + 1) % world, input, parts.total());
  auto from = link.incoming((rank + world - 1) % world, link.staging(), Link::chunk_bytes);
  for (int step = 0; step < world - 1; ++step) {
    const Stretch out = parts[rank - 1 - step], in = parts[rank - 2 - step];
    std::byte* own = input + in.offset;
    std::byte* sum = step == world - 2 ? output : own;
    in_turn(
        to, out, from, in, [](std::size_t) { return std::size_t{0}; },
        [&](std::size_t offset, std::size_t bytes) {
          reduce(sum + offset, link.staging(), own + offset, bytes / size_of(dtype), dtype, op);
        });
  }
}

/// Part k starts on rank k and goes round to rank k - 1, landing in place.
void ring_gather(Link& link, std::byte* output, const Parts& parts) {
  const int rank = link.rank(), world = link.world();
  auto to = link.outgoing((rank + 1) % world, output, parts.total());
  auto from = link.incoming((rank + world - 1) % world, output, parts.total());
  for (int step = 0; step < world - 1; ++step) {
    const Stretch out = parts[rank - step], in = parts[rank - step - 1];
    in_turn(
        to, out, from, in, [&](std::size_t offset) { return out.offset + offset; }, [](std::size_t, std::size_t) {});
  }
}

/// The lower rank's element is the left operand on both, so they get the same bits.
void exchange(Link& link, std::byte* data, std::size_t bytes, DType dtype, ReduceOp op) {
  const int peer = 1 - link.rank();
  auto to = link.outgoing(peer, data, bytes);
  auto from = link.incoming(peer, link.staging(), Link::chunk_bytes);
  in_turn(
      to, {0, bytes}, from, {0, bytes}, [](std::size_t) { return std::size_t{0}; },
      [&](std::size_t offset, std::size_t some) {
        std::byte* mine = data + offset;
        const std::byte* theirs = link.staging();
        reduce(mine, peer == 0 ? theirs : mine, peer == 0 ? mine : theirs, some / size_of(dtype), dtype, op);
      });
}

}  // namespace

void reduce_scatter(Link& link, void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                    ReduceOp op) {
  ring_reduce(link, bytes_of(input), bytes_of(output), Parts(counts, size_of(dtype)), dtype, op);
}

void all_gather(Link& link, const void* input, void* output, std::span<const std::size_t> counts, DType dtype) {
  const Parts parts(counts, size_of(dtype));
  const Stretch own = parts[link.rank()];
  std::byte* place = bytes_of(output) + own.offset;
  if (place != input && own.bytes > 0) std::memcpy(place, input, own.bytes);
  ring_gather(link, bytes_of(output), parts);
}

void all_reduce(Link& link, void* data, std::size_t count, DType dtype, ReduceOp op) {
  if (link.world() == 2) return exchange(link, bytes_of(data), count * size_of(dtype), dtype, op);
  const Parts parts(even_parts(count, link.world()), size_of(dtype));
  ring_reduce(link, bytes_of(data), bytes_of(data) + parts[link.rank()].offset, parts, dtype, op);
  ring_gather(link, bytes_of(data), parts);
}

void all_to_all(Link& link, const void* input, void* output, std::size_t count, DType dtype) {
  const int rank = link.rank(), world = link.world();
  const std::size_t block = count * size_of(dtype);
  const auto at = [&](int index) { return static_cast<std::size_t>(index) * block; };
  if (block > 0) std::memcpy(bytes_of(output) + at(rank), static_cast<const std::byte*>(input) + at(rank), block);
  for (int step = 1; step < world; ++step) {
    const int next = (rank + step) % world, previous = (rank + world - step) % world;
    auto to = link.outgoing(next, input, block * static_cast<std::size_t>(world));
    auto from = link.incoming(previous, output, block * static_cast<std::size_t>(world));
    in_turn(
        to, {at(next), block}, from, {at(previous), block}, [&](std::size_t offset) { return at(rank) + offset; },
        [](std::size_t, std::size_t) {});
  }
}

}  // namespace shardbench::gloo_comm
