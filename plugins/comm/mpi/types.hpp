#pragma once
#include <mpi.h>

#include <cstddef>

#include "shardbench/comm.hpp"
#include "shardbench/dtype.hpp"

namespace shardbench::mpi_comm {

/// MPI's type of that size and arithmetic; 16-bit integers for the half types, which MPI does not have.
MPI_Datatype type_of(DType dtype) noexcept;

/// MPI's operation, or one of our own for the half types (comm/reduce.hpp).
MPI_Op op_of(DType dtype, ReduceOp op);

/// A count as MPI takes it. Throws `Error` where it does not fit into an int.
int count_of(std::size_t count, const char* what);

}  // namespace shardbench::mpi_comm
