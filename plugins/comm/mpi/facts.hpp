#pragma once
#include <optional>
#include <string>

#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// What MPI says is in force: version, transport, how it waits, where it is bound. From MPI's control variables
/// (MPI_T), which hold what mpirun's options, the environment and the library's own choice came to.
CommDescription describe_mpi();

}  // namespace shardbench::mpi_comm
