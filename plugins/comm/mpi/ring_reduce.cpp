#include "ring_reduce.hpp"

#include <algorithm>

#include "comm/mpi/library.hpp"
#include "comm/mpi/request.hpp"
#include "comm/mpi/types.hpp"
#include "comm/reduce.hpp"

namespace shardbench::mpi_comm {
namespace {

constexpr const char* what = "reduce_scatter";
constexpr int ring_tag = 0;

}  // namespace

RingReduce::RingReduce(MPI_Comm comm, void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                       ReduceOp op)
    : comm_(comm),
      input_(static_cast<std::byte*>(input)),
      output_(static_cast<std::byte*>(output)),
      dtype_(dtype),
      op_(op),
      world_(static_cast<int>(counts.size())),
      segment_elements_(segment_bytes / size_of(dtype)) {
  check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  std::size_t first = 0, largest = 0;
  for (const std::size_t count : counts) {
    parts_.push_back({first, count});
    first += count;
    largest = std::max(largest, count);
  }
  staging_ = std::make_unique_for_overwrite<std::byte[]>(std::min(2 * segment_bytes, largest * size_of(dtype)));
  start_step();
}

const RingReduce::Part& RingReduce::part(int index) const {
  return parts_[static_cast<std::size_t>(((index % world_) + world_) % world_)];
}

std::size_t RingReduce::segments(const Part& part) const {
  return (part.count + segment_elements_ - 1) / segment_elements_;
}

std::size_t RingReduce::segment_size(const Part& part, std::size_t segment) const {
  return std::min(segment_elements_, part.count - segment * segment_elements_);
}

std::byte* RingReduce::element(std::size_t index) const { return input_ + index * size_of(dtype_); }

std::byte* RingReduce::staging(std::size_t segment) const { return staging_.get() + segment % 2 * segment_bytes; }

/// Posts all sends of a step and its first two receives.
void RingReduce::start_step() {
  const Part& out = part(rank_ - 1 - step_);
  sends_.assign(segments(out), MPI_REQUEST_NULL);
  receives_.assign(2, MPI_REQUEST_NULL);
  next_ = 0;
  for (std::size_t s = 0; s < 2; ++s) receive(s);
  for (std::size_t s = 0; s < sends_.size(); ++s)
    check(MPI_Isend(element(out.first + s * segment_elements_), static_cast<int>(segment_size(out, s)), type_of(dtype_),
                    (rank_ + 1) % world_, ring_tag, comm_, &sends_[s]),
          what);
}

void RingReduce::receive(std::size_t segment) {
  const Part& in = part(rank_ - 2 - step_);
  if (segment >= segments(in)) return;
  check(MPI_Irecv(staging(segment), static_cast<int>(segment_size(in, segment)), type_of(dtype_),
                  (rank_ + world_ - 1) % world_, ring_tag, comm_, &receives_[segment % 2]),
        what);
}

bool RingReduce::finish_step(Deadline deadline) {
  const Part& in = part(rank_ - 2 - step_);
  std::vector<MPI_Request> one(1);
  for (; next_ < segments(in); ++next_) {
    one[0] = receives_[next_ % 2];
    if (!wait_all(one, deadline, what)) return false;
    const std::size_t first = next_ * segment_elements_;
    std::byte* mine = element(in.first + first);
    std::byte* sum = step_ == world_ - 2 ? output_ + first * size_of(dtype_) : mine;
    reduce(sum, staging(next_), mine, segment_size(in, next_), dtype_, op_);
    receive(next_ + 2);
  }
  return wait_all(sends_, deadline, what);
}

bool RingReduce::wait(Deadline deadline) {
  while (step_ < world_ - 1) {
    if (!finish_step(deadline)) return false;
    if (++step_ < world_ - 1) start_step();
  }
  return true;
}

}  // namespace shardbench::mpi_comm
