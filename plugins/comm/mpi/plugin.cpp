#include "shardbench/plugin.hpp"

#include "comm/mpi/mpi_comm.hpp"

SHARDBENCH_COMM(shardbench::mpi_comm::MpiComm, "mpi", SHARDBENCH_VERSION,
                "MPI: shared memory or TCP, by ranks that mpirun started",
                "mode=auto|async|sync;transport=default|tcp;binding=none|core;wait=auto|block|poll")
