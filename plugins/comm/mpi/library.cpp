#include "library.hpp"

#include <cstdlib>

#include "shardbench/error.hpp"

namespace shardbench::mpi_comm {
namespace {

bool given_up = false;

void finalise() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised == 0 && !given_up) MPI_Finalize();
}

}  // namespace

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  give_up();
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(std::string(what) + " failed: " + text, {}, "see what ended or stopped the other ranks");
}

void give_up() noexcept { given_up = true; }

void join_world(int rank, int world) {
  int ready = 0;
  MPI_Initialized(&ready);
  if (ready == 0) {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
    std::atexit(finalise);
  }
  int mpi_rank = -1, mpi_world = -1;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &mpi_world), "MPI_Comm_size");
  if (mpi_rank != rank || mpi_world != world)
    throw Error("this process is rank " + std::to_string(mpi_rank) + " of " + std::to_string(mpi_world) +
                    " in MPI, but rank " + std::to_string(rank) + " of " + std::to_string(world) + " was asked for",
                "backend mpi", "start one process per rank with mpirun -n " + std::to_string(world));
}

Communicator::Communicator() {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Communicator::~Communicator() {
  if (!given_up) MPI_Comm_free(&comm_);
}

}  // namespace shardbench::mpi_comm
