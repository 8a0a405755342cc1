#pragma once
#include <cstddef>

#include "comm/gloo/link.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/dtype.hpp"

namespace shardbench::gloo_comm {

/// Whether `all_reduce_halving_doubling` can do it: the world is a power of two that cuts the array into equal parts of
/// whole elements of any dtype, so that every rank sends as much as by a ring (`wire::all_reduce`).
bool can_halve(int world, std::size_t bytes);

/// All-reduce by recursive halving, then recursive doubling (Rabenseifner, "Optimization of collective reduction
/// operations", ICCS 2004): 2 log2(N) messages per rank where a ring has 2 (N - 1), of as many bytes together. Every
/// element is added up on one rank, so all ranks get the same bits.
void all_reduce_halving_doubling(Link& link, void* data, std::size_t count, DType dtype, ReduceOp op);

}  // namespace shardbench::gloo_comm
