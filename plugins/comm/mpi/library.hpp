#pragma once
#include <mpi.h>

#include <string>

namespace shardbench::mpi_comm {

/// Initialises MPI unless this process has done so already, and has it finalised when the process ends. Throws `Error`
/// unless MPI's rank and world are these.
void join_world(int rank, int world);

/// Throws `Error` with MPI's text, unless `code` is MPI_SUCCESS.
void check(int code, const char* what);

/// Says that an operation failed or was given up: MPI_Finalize would wait for it, so it is left out at the end.
void give_up() noexcept;

/// An MPI communicator of all ranks of its own, whose errors are returned and not fatal.
class Communicator {
 public:
  Communicator();
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  MPI_Comm get() const noexcept { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace shardbench::mpi_comm
