#pragma once
#include <optional>
#include <span>
#include <string>

#include "comm/mpi/library.hpp"
#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// MPI among the processes that mpirun started (MPI_COMM_WORLD). `exchange` is not used: MPI has its own.
///
/// Collectives are the library's blocking ones (`mode=auto|sync`, complete when they return) or its non-blocking ones
/// (`mode=async`), which Open MPI 4.1 implements apart and slower. For reduce_scatter and all_reduce, `algorithm` may
/// be `library`, `ring` (RingReduce; all_reduce gathers after it) or `auto`, what is fastest for size and world:
/// - reduce_scatter of a few bytes is the library's all_reduce of the whole array, of which the own part is copied: it
///   has log2(N) rounds where a ring has N - 1. More is a ring: MPI_Reduce_scatter takes up to 4 times as long.
/// - all_reduce of two ranks from 16 KiB on, of more from 1 MiB on is a ring: at 256 KiB it takes half the time of
///   MPI_Allreduce between two ranks (bench/mpi_overhead.cpp).
/// A non-blocking all_reduce is always the library's, a non-blocking reduce_scatter a ring.
/// MPI has no time-outs: a blocking collective whose peers never come ends with the process. send and recv never block.
///
/// The options transport, binding and wait act through mpirun, before this is made; here they are only looked back at
/// (`describe`).
class MpiComm final : public Comm {
 public:
  explicit MpiComm(const CommInput& in);

  CommDescription describe() const override;
  std::string algorithm(Operation op, std::size_t bytes) const override;

 protected:
  std::unique_ptr<Work> do_barrier() override;
  std::unique_ptr<Work> do_broadcast(void* data, std::size_t count, DType dtype, int root) override;
  std::unique_ptr<Work> do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) override;
  std::unique_ptr<Work> do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                                          ReduceOp op) override;
  std::unique_ptr<Work> do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                      DType dtype) override;
  std::unique_ptr<Work> do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) override;
  std::unique_ptr<Work> do_send(const void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override;
  std::unique_ptr<Work> do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override;

 private:
  /// What must be true before a communicator is made.
  struct Joined {
    Joined(int rank, int world) { join_world(rank, world); }
  };
  enum class Algorithm { library, ring, whole_all_reduce };
  Algorithm all_reduce_algorithm(std::size_t bytes) const;
  Algorithm reduce_scatter_algorithm(std::size_t bytes) const;
  int tag_of(std::uint32_t tag) const;

  Joined joined_;
  Communicator collectives_, messages_;
  bool async_;
  std::string choice_;  ///< the option `algorithm`
};

}  // namespace shardbench::mpi_comm
