#include "shardbench/plugin.hpp"

#include "comm/mpi/arguments.hpp"
#include "comm/mpi/mpi_comm.hpp"

SHARDBENCH_MPIRUN_COMM(shardbench::mpi_comm::MpiComm, shardbench::mpi_comm::mpirun_arguments, "mpi", SHARDBENCH_VERSION,
                       "MPI: shared memory or TCP, by ranks that mpirun started",
                       "mode=auto|async|sync;transport=default|tcp;binding=auto|none|core;wait=auto|yield|poll;"
                       "algorithm=auto|library|ring")
