#include "mpi_comm.hpp"

#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "comm/mpi/facts.hpp"
#include "comm/mpi/request.hpp"
#include "comm/mpi/ring_reduce.hpp"
#include "comm/mpi/types.hpp"
#include "shardbench/error.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::mpi_comm {
namespace {

std::string option(const CommInput& in, const std::string& name) {
  const auto it = in.options.find(name);
  return it == in.options.end() ? "auto" : it->second;
}

std::size_t sum(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

std::unique_ptr<Work> done() { return std::make_unique<Done>(); }

}  // namespace

MpiComm::MpiComm(const CommInput& in)
    : Comm(in.rank, in.world),
      joined_(in.rank, in.world),
      async_(option(in, "mode") == "async"),
      choice_(option(in, "algorithm")) {}

MpiComm::Algorithm MpiComm::all_reduce_algorithm(std::size_t bytes) const {
  if (async_ || world() == 1 || choice_ == "library") return Algorithm::library;
  if (choice_ == "ring") return Algorithm::ring;
  const std::size_t ring_pays = world() == 2 ? std::size_t{16} << 10U : std::size_t{1} << 20U;
  return bytes >= ring_pays ? Algorithm::ring : Algorithm::library;
}

MpiComm::Algorithm MpiComm::reduce_scatter_algorithm(std::size_t bytes) const {
  if (async_ || choice_ == "ring") return Algorithm::ring;
  if (choice_ == "library") return Algorithm::library;
  const auto n = static_cast<std::size_t>(world());
  return bytes <= 64 * n * n ? Algorithm::whole_all_reduce : Algorithm::ring;
}

std::unique_ptr<Work> MpiComm::do_barrier() {
  if (async_) {
    auto request = std::make_unique<Request>(Operation::barrier);
    check(MPI_Ibarrier(collectives_.get(), request->handle()), "MPI_Ibarrier");
    return request;
  }
  check(MPI_Barrier(collectives_.get()), "MPI_Barrier");
  return done();
}

std::unique_ptr<Work> MpiComm::do_broadcast(void* data, std::size_t count, DType dtype, int root) {
  const int n = count_of(count, "broadcast");
  if (async_) {
    auto request = std::make_unique<Request>(Operation::broadcast);
    check(MPI_Ibcast(data, n, type_of(dtype), root, collectives_.get(), request->handle()), "MPI_Ibcast");
    return request;
  }
  check(MPI_Bcast(data, n, type_of(dtype), root, collectives_.get()), "MPI_Bcast");
  return done();
}

std::unique_ptr<Work> MpiComm::do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) {
  const int n = count_of(count, "all_reduce");
  if (all_reduce_algorithm(count * size_of(dtype)) == Algorithm::ring) {
    const auto parts = even_parts(count, world());
    std::byte* own = static_cast<std::byte*>(data);
    for (int r = 0; r < rank(); ++r) own += parts[static_cast<std::size_t>(r)] * size_of(dtype);
    RingReduce(collectives_.get(), data, own, parts, dtype, op).wait(Deadline::max());
    return do_all_gather(own, data, parts, dtype);
  }
  if (async_) {
    auto request = std::make_unique<Request>(Operation::all_reduce);
    check(
        MPI_Iallreduce(MPI_IN_PLACE, data, n, type_of(dtype), op_of(dtype, op), collectives_.get(), request->handle()),
        "MPI_Iallreduce");
    return request;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, data, n, type_of(dtype), op_of(dtype, op), collectives_.get()), "MPI_Allreduce");
  return done();
}

std::unique_ptr<Work> MpiComm::do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts,
                                                 DType dtype, ReduceOp op) {
  if (world() == 1) {
    if (input != output) std::memcpy(output, input, counts[0] * size_of(dtype));
    return done();
  }
  const std::size_t total = sum(counts), own_bytes = counts[static_cast<std::size_t>(rank())] * size_of(dtype);
  std::byte* const own =
      static_cast<std::byte*>(input) + sum(counts.first(static_cast<std::size_t>(rank()))) * size_of(dtype);
  switch (reduce_scatter_algorithm(total * size_of(dtype))) {
    case Algorithm::ring: {
      auto ring = std::make_unique<RingReduce>(collectives_.get(), input, output, counts, dtype, op);
      if (!async_) ring->wait(Deadline::max());
      return ring;
    }
    case Algorithm::whole_all_reduce:
      check(MPI_Allreduce(MPI_IN_PLACE, input, count_of(total, "reduce_scatter"), type_of(dtype), op_of(dtype, op),
                          collectives_.get()),
            "MPI_Allreduce");
      std::memmove(output, own, own_bytes);
      return done();
    case Algorithm::library: break;
  }
  std::vector<int> sizes;
  for (const std::size_t count : counts) sizes.push_back(count_of(count, "reduce_scatter"));
  const bool in_place = own == output;  // MPI's in-place form puts the result at the beginning of the input
  check(MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : input, in_place ? input : output, sizes.data(), type_of(dtype),
                           op_of(dtype, op), collectives_.get()),
        "MPI_Reduce_scatter");
  if (in_place) std::memmove(output, input, own_bytes);
  return done();
}

std::unique_ptr<Work> MpiComm::do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                             DType dtype) {
  const auto world_size = static_cast<std::size_t>(world());
  std::vector<int> sizes_and_places(2 * world_size);  // one vector: MPI reads both until the operation is done
  std::size_t total = 0;
  for (std::size_t r = 0; r < world_size; ++r) {
    sizes_and_places[r] = count_of(counts[r], "all_gather");
    sizes_and_places[world_size + r] = count_of(total, "all_gather");
    total += counts[r];
  }
  const std::size_t first = static_cast<std::size_t>(sizes_and_places[world_size + static_cast<std::size_t>(rank())]);
  const bool in_place =
      static_cast<const std::byte*>(input) == static_cast<std::byte*>(output) + first * size_of(dtype);
  const int mine = sizes_and_places[static_cast<std::size_t>(rank())];
  const void* from = in_place ? MPI_IN_PLACE : input;
  if (async_) {
    auto request = std::make_unique<Request>(Operation::all_gather, std::move(sizes_and_places));
    check(MPI_Iallgatherv(from, mine, type_of(dtype), output, request->counts().data(),
                          request->counts().data() + world_size, type_of(dtype), collectives_.get(), request->handle()),
          "MPI_Iallgatherv");
    return request;
  }
  check(MPI_Allgatherv(from, mine, type_of(dtype), output, sizes_and_places.data(),
                       sizes_and_places.data() + world_size, type_of(dtype), collectives_.get()),
        "MPI_Allgatherv");
  return done();
}

std::unique_ptr<Work> MpiComm::do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) {
  const int n = count_of(count, "all_to_all");
  if (async_) {
    auto request = std::make_unique<Request>(Operation::all_to_all);
    check(MPI_Ialltoall(input, n, type_of(dtype), output, n, type_of(dtype), collectives_.get(), request->handle()),
          "MPI_Ialltoall");
    return request;
  }
  check(MPI_Alltoall(input, n, type_of(dtype), output, n, type_of(dtype), collectives_.get()), "MPI_Alltoall");
  return done();
}

std::unique_ptr<Work> MpiComm::do_send(const void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
  auto request = std::make_unique<Request>(Operation::send);
  check(MPI_Isend(data, count_of(count, "send"), type_of(dtype), peer, tag_of(tag), messages_.get(), request->handle()),
        "MPI_Isend");
  return request;
}

std::unique_ptr<Work> MpiComm::do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
  auto request = std::make_unique<Request>(Operation::recv);
  check(MPI_Irecv(data, count_of(count, "recv"), type_of(dtype), peer, tag_of(tag), messages_.get(), request->handle()),
        "MPI_Irecv");
  return request;
}

/// MPI's tags are ints up to a bound of its own.
int MpiComm::tag_of(std::uint32_t tag) const {
  int* most = nullptr;
  int found = 0;
  check(MPI_Comm_get_attr(messages_.get(), MPI_TAG_UB, &most, &found), "MPI_Comm_get_attr");
  if (found != 0 && tag > static_cast<std::uint32_t>(*most))
    throw Error("message tag " + std::to_string(tag) + ", but MPI's go to " + std::to_string(*most), "backend mpi");
  return static_cast<int>(tag);
}

CommDescription MpiComm::describe() const {
  auto d = describe_mpi();
  d.details["collectives"] = async_ ? "non-blocking" : "blocking";
  return d;
}

std::string MpiComm::algorithm(Operation op, std::size_t bytes) const {
  const std::string mode = async_ ? ", async" : ", sync";
  const auto name = [](Algorithm a) -> std::string {
    return a == Algorithm::ring ? "ring" : a == Algorithm::library ? "library" : "library all_reduce";
  };
  switch (op) {
    case Operation::reduce_scatter: return name(reduce_scatter_algorithm(bytes)) + mode;
    case Operation::all_reduce:
      return all_reduce_algorithm(bytes) == Algorithm::ring ? "ring and library all_gather" + mode : "library" + mode;
    case Operation::send:
    case Operation::recv: return "direct, async";
    default: return "library" + mode;
  }
}

}  // namespace shardbench::mpi_comm
