#include "plugins/comm/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "plugins/comm/memory.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::test {
namespace {

constexpr std::chrono::seconds patience{30};

void finish(std::unique_ptr<Work> work, const std::string& what) {
  require(work->wait(Clock::now() + patience), what + ": not done after 30 s");
  require(work->wait(Clock::now()), what + ": a second wait is false");
}

/// Starts and ends an operation over these parts of the array, of which this rank must send what the algorithm does
/// that the backend names for it.
void run(Comm& comm, const std::string& what, DType dtype, Operation op, std::span<const std::size_t> parts, int root,
         const std::function<std::unique_ptr<Work>()>& start) {
  const auto before = comm.bytes_on_wire();
  finish(start(), what);
  const auto after = comm.bytes_on_wire();
  if (!before) return;
  const std::string algorithm = comm.algorithm(op, wire::sum(parts) * size_of(dtype));
  const auto moved = wire::of_algorithm(algorithm, {op, parts, comm.rank(), root});
  require(moved.has_value(), what + ": no law is known for '" + algorithm + "'");
  const std::uint64_t law = moved->sent * size_of(dtype);
  require(*after - *before == law, what + ": sent " + std::to_string(*after - *before) + " bytes, but " + algorithm +
                                       " sends " + std::to_string(law));
}

void run(Comm& comm, const std::string& what, DType dtype, Operation op, std::size_t count, int root,
         const std::function<std::unique_ptr<Work>()>& start) {
  run(comm, what, dtype, op, even_parts(count, comm.world()), root, start);
}

/// Element `index` of rank `rank`: small, differs by rank, negative where the type can be. Sums of eight stay exact in
/// bfloat16 (8 bits) and in uint8.
double input(DType dtype, int rank, std::size_t index) {
  const double value = static_cast<double>((index * 7 + static_cast<std::size_t>(rank) * 5 + index / 11) % 13);
  return dtype == DType::uint8 ? value : value - 6;
}

double reduced(DType dtype, int world, std::size_t index, ReduceOp op) {
  double value = input(dtype, 0, index);
  for (int r = 1; r < world; ++r) {
    const double next = input(dtype, r, index);
    value = op == ReduceOp::sum ? value + next : op == ReduceOp::max ? std::max(value, next) : std::min(value, next);
  }
  return value;
}

void expect(const Guarded& memory, std::size_t index, double wanted, const std::string& what) {
  const double found = memory.get(index);
  if (found == wanted) return;
  throw Error(what + ": element " + std::to_string(index) + " is " + std::to_string(found) + ", not " +
              std::to_string(wanted));
}

std::string label(Operation op, std::size_t count, DType dtype) {
  return std::string(name_of(op)) + " of " + std::to_string(count) + " " + std::string(name_of(dtype));
}

std::size_t first_of(const std::vector<std::size_t>& counts, int rank) {
  return std::accumulate(counts.begin(), counts.begin() + rank, std::size_t{0});
}

}  // namespace

void check_barrier(Comm& comm) {
  run(comm, "barrier", DType::uint8, Operation::barrier, 0, 0, [&] { return comm.barrier(); });
}

void check_broadcast(Comm& comm, std::size_t count, DType dtype, int root) {
  const auto what = label(Operation::broadcast, count, dtype) + " from " + std::to_string(root);
  Guarded data(count, dtype);
  for (std::size_t i = 0; i < count; ++i) data.set(i, input(dtype, comm.rank(), i));
  run(comm, what, dtype, Operation::broadcast, count, root,
      [&] { return comm.broadcast(data.data(), count, dtype, root); });
  for (std::size_t i = 0; i < count; ++i) expect(data, i, input(dtype, root, i), what);
  data.check_bands(what);
}

void check_all_reduce(Comm& comm, std::size_t count, DType dtype, ReduceOp op) {
  const auto what = label(Operation::all_reduce, count, dtype) + " " + std::string(name_of(op));
  Guarded data(count, dtype);
  for (std::size_t i = 0; i < count; ++i) data.set(i, input(dtype, comm.rank(), i));
  run(comm, what, dtype, Operation::all_reduce, count, 0,
      [&] { return comm.all_reduce(data.data(), count, dtype, op); });
  for (std::size_t i = 0; i < count; ++i) expect(data, i, reduced(dtype, comm.world(), i, op), what);
  data.check_bands(what);
}

void check_reduce_scatter(Comm& comm, const std::vector<std::size_t>& counts, DType dtype, ReduceOp op, bool in_place) {
  const std::size_t count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const std::size_t first = first_of(counts, comm.rank()), mine = counts[static_cast<std::size_t>(comm.rank())];
  const auto what = label(Operation::reduce_scatter, count, dtype) + (in_place ? " in place" : "");
  Guarded whole(count, dtype), part(mine, dtype);
  for (std::size_t i = 0; i < count; ++i) whole.set(i, input(dtype, comm.rank(), i));
  run(comm, what, dtype, Operation::reduce_scatter, counts, 0,
      [&] { return comm.reduce_scatter(whole.data(), in_place ? whole.at(first) : part.data(), counts, dtype, op); });
  for (std::size_t i = 0; i < mine; ++i) {
    const double wanted = reduced(dtype, comm.world(), first + i, op);
    in_place ? expect(whole, first + i, wanted, what) : expect(part, i, wanted, what);
  }
  whole.check_bands(what);
  part.check_bands(what);
}

void check_all_gather(Comm& comm, const std::vector<std::size_t>& counts, DType dtype, bool in_place) {
  const std::size_t count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const std::size_t first = first_of(counts, comm.rank()), mine = counts[static_cast<std::size_t>(comm.rank())];
  const auto what = label(Operation::all_gather, count, dtype) + (in_place ? " in place" : "");
  Guarded whole(count, dtype), part(mine, dtype);
  for (std::size_t i = 0; i < mine; ++i) {
    part.set(i, input(dtype, comm.rank(), i));
    if (in_place) whole.set(first + i, input(dtype, comm.rank(), i));
  }
  run(comm, what, dtype, Operation::all_gather, counts, 0,
      [&] { return comm.all_gather(in_place ? whole.at(first) : part.data(), whole.data(), counts, dtype); });
  std::size_t at = 0;
  for (int r = 0; r < comm.world(); ++r)
    for (std::size_t i = 0; i < counts[static_cast<std::size_t>(r)]; ++i) expect(whole, at++, input(dtype, r, i), what);
  whole.check_bands(what);
  part.check_bands(what);
}

void check_all_to_all(Comm& comm, std::size_t count, DType dtype) {
  const auto what = label(Operation::all_to_all, count, dtype);
  const auto world = static_cast<std::size_t>(comm.world());
  const auto rank = static_cast<std::size_t>(comm.rank());
  Guarded in(count * world, dtype), out(count * world, dtype);
  for (std::size_t i = 0; i < in.count(); ++i) in.set(i, input(dtype, comm.rank(), i));
  run(comm, what, dtype, Operation::all_to_all, count * world, 0,
      [&] { return comm.all_to_all(in.data(), out.data(), count, dtype); });
  for (std::size_t r = 0; r < world; ++r)
    for (std::size_t i = 0; i < count; ++i)
      expect(out, r * count + i, input(dtype, static_cast<int>(r), rank * count + i), what);
  in.check_bands(what);
  out.check_bands(what);
}

void check_crossed_sends(Comm& comm, std::size_t bytes) {
  const auto world = comm.world();
  const auto value = [](int from, int to, unsigned tag) {
    return static_cast<unsigned char>(from * 16 + to * 4 + tag);
  };
  std::vector<Guarded> sent, received;
  std::vector<std::unique_ptr<Work>> work;
  sent.reserve(static_cast<std::size_t>(2 * world));
  received.reserve(static_cast<std::size_t>(2 * world));
  const auto before = comm.bytes_on_wire();
  for (const std::uint32_t tag : {1U, 2U})
    for (int peer = 0; peer < world; ++peer) {
      if (peer == comm.rank()) continue;
      auto& data = sent.emplace_back(bytes, DType::uint8);
      std::memset(data.data(), value(comm.rank(), peer, tag), bytes);
      work.push_back(comm.send(data.data(), bytes, DType::uint8, peer, tag));
    }
  std::vector<unsigned char> wanted;
  for (const std::uint32_t tag : {2U, 1U})
    for (int peer = world - 1; peer >= 0; --peer) {
      if (peer == comm.rank()) continue;
      auto& data = received.emplace_back(bytes, DType::uint8);
      wanted.push_back(value(peer, comm.rank(), tag));
      work.push_back(comm.recv(data.data(), bytes, DType::uint8, peer, tag));
    }
  std::reverse(work.begin(), work.end());
  for (auto& w : work) finish(std::move(w), "crossed sends of " + std::to_string(bytes) + " bytes");
  if (before) {
    const std::uint64_t moved = *comm.bytes_on_wire() - *before;
    require(moved == 2 * static_cast<std::uint64_t>(world - 1) * bytes,
            "crossed sends: " + std::to_string(moved) + " bytes on the wire");
  }
  for (std::size_t i = 0; i < received.size(); ++i) {
    const auto* p = received[i].data();
    require(std::all_of(p, p + bytes, [&](unsigned char c) { return c == wanted[i]; }), "crossed sends: wrong bytes");
    received[i].check_bands("crossed sends");
    sent[i].check_bands("crossed sends");
  }
}

void check_same_bits(Comm& comm, std::size_t count, DType dtype) {
  Guarded data(count, dtype);
  std::mt19937 random(static_cast<unsigned>(comm.rank()) + 1);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < count; ++i) data.set(i, normal(random));
  const auto what = label(Operation::all_reduce, count, dtype);
  finish(comm.all_reduce(data.data(), count, dtype, ReduceOp::sum), what);
  const std::vector<std::size_t> counts(static_cast<std::size_t>(comm.world()), count);
  Guarded all(count * counts.size(), dtype);
  finish(comm.all_gather(data.data(), all.data(), counts, dtype), what);
  for (int r = 0; r < comm.world(); ++r)
    require(std::memcmp(all.at(static_cast<std::size_t>(r) * count), data.data(), data.bytes()) == 0,
            what + ": rank " + std::to_string(r) + " has other bits");
}

void check_everything(Comm& comm) {
  const auto world = static_cast<std::size_t>(comm.world());
  for (const DType dtype : all_dtypes) {
    for (const std::size_t n : {0, 1, 5, 1000, dtype == DType::float32 ? 262'150 : 33'001}) {
      for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::min}) check_all_reduce(comm, n, dtype, op);
      check_broadcast(comm, n, dtype, static_cast<int>(n % world));
      check_all_to_all(comm, n / world, dtype);
      std::vector<std::size_t> uneven(world, n / world);  // one part has all of another's, which is empty
      uneven.front() = n - n / world * (world - 1);
      if (world > 2) uneven[1] += std::exchange(uneven[2], 0);
      std::vector<std::size_t> one(world, 0);
      one.back() = n;
      for (const bool in_place : {false, true})
        for (const auto& counts : {even_parts(n, comm.world()), uneven, one}) {
          check_reduce_scatter(comm, counts, dtype, ReduceOp::sum, in_place);
          check_all_gather(comm, counts, dtype, in_place);
        }
    }
    check_barrier(comm);
  }
  check_reduce_scatter(comm, even_parts(1001, comm.world()), DType::float32, ReduceOp::max, false);
  check_reduce_scatter(comm, even_parts(1001, comm.world()), DType::int64, ReduceOp::min, true);
  for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16})
    for (const std::size_t n : {7, 10'007, 100'003}) check_same_bits(comm, n, dtype);
  for (const std::size_t n : {0, 1, 70'000}) check_crossed_sends(comm, n);
}

}  // namespace shardbench::test
