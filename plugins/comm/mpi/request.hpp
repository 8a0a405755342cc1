#pragma once
#include <mpi.h>

#include <memory>
#include <vector>

#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// Whether all requests are complete, letting MPI make progress until they are or the deadline passes. MPI yields the
/// processor in between where it knows that there are more ranks than cores.
bool wait_all(std::vector<MPI_Request>& requests, Deadline deadline, const char* what);

/// An operation that MPI carries out: one request, and the counts that it reads until it is done.
class Request final : public Work {
 public:
  explicit Request(Operation op, std::vector<int> counts = {});
  bool wait(Deadline deadline) override;

  MPI_Request* handle() noexcept { return requests_.data(); }
  const std::vector<int>& counts() const noexcept { return counts_; }

 private:
  Operation op_;
  std::vector<MPI_Request> requests_{MPI_REQUEST_NULL};
  std::vector<int> counts_;
};

/// Work that was complete when it was returned.
class Done final : public Work {
 public:
  bool wait(Deadline) override { return true; }
};

}  // namespace shardbench::mpi_comm
