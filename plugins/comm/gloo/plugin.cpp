#include "shardbench/plugin.hpp"

#include "comm/gloo/gloo_comm.hpp"

SHARDBENCH_COMM(shardbench::gloo_comm::GlooComm, "gloo", SHARDBENCH_VERSION, "Gloo over TCP sockets of one machine",
                "mode=auto|async|sync;wait=block|poll;interface=*;algorithm=auto|ring|halving_doubling")
