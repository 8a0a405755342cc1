#pragma once
#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// Reduce-scatter as a ring over point-to-point messages (Patarasuk and Yuan 2009; the order of shardbench/wire.hpp).
/// MPI_Reduce_scatter of Open MPI 4.1 takes up to eight times as long as an all-reduce of the same array.
///
/// A part travels in segments, so that the additions to one overlap with the transfer of the next and find it in the
/// cache. The ring turns while its owner waits.
class RingReduce final : public Work {
 public:
  RingReduce(MPI_Comm comm, void* input, void* output, std::span<const std::size_t> counts, DType dtype, ReduceOp op);
  bool wait(Deadline deadline) override;

 private:
  /// Elements [first, first + count) of the array.
  struct Part {
    std::size_t first = 0, count = 0;
  };
  const Part& part(int index) const;
  std::size_t segments(const Part& part) const;
  std::size_t segment_size(const Part& part, std::size_t segment) const;
  std::byte* element(std::size_t index) const;
  std::byte* staging(std::size_t segment) const;

  void start_step();
  void receive(std::size_t segment);
  bool finish_step(Deadline deadline);

  static constexpr std::size_t segment_bytes = std::size_t{256} * 1024;

  MPI_Comm comm_;
  std::byte* input_;
  std::byte* output_;
  DType dtype_;
  ReduceOp op_;
  int rank_ = 0, world_ = 1;
  std::vector<Part> parts_;
  std::size_t segment_elements_;
  std::unique_ptr<std::byte[]> staging_;  ///< two segments: one is received while the other is added
  int step_ = 0;
  std::size_t next_ = 0;  ///< segment of this step to be added next
  std::vector<MPI_Request> sends_, receives_;
};

}  // namespace shardbench::mpi_comm
