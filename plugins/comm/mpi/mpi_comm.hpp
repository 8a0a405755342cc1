#pragma once
#include <optional>
#include <span>
#include <string>

#include "comm/mpi/library.hpp"
#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// MPI among the processes that mpirun started (MPI_COMM_WORLD). `exchange` is not used: MPI has its own.
///
/// Collectives are the library's, but for reduce_scatter (see RingReduce): the blocking ones (`mode=auto|sync`,
/// complete when they return) or the non-blocking ones (`mode=async`), which Open MPI 4.1 implements apart and slower.
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
  int tag_of(std::uint32_t tag) const;

  Joined joined_;
  Communicator collectives_, messages_;
  bool async_;
};

}  // namespace shardbench::mpi_comm
