#pragma once
#include <optional>
#include <string>

#include "shardbench/comm.hpp"

namespace shardbench::mpi_comm {

/// What MPI says is in force: version, transport, how it waits, where it is bound. From MPI's control variables
/// (MPI_T), which hold what mpirun's options, the environment and the library's own choice came to. Looked up once:
/// that takes 0.1 s, and they do not change after MPI_Init.
const CommDescription& describe_mpi();

}  // namespace shardbench::mpi_comm
