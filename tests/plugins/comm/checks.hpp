#pragma once
#include <cstddef>
#include <vector>

#include "shardbench/comm.hpp"

/// What any backend must do, run by every rank of a group on its own end. Each throws `Error` with both values where
/// the backend is wrong: results (inputs differ by rank and their sums are exact in any order), memory around the
/// buffers, and bytes on the wire, where the backend counts them, against the law of the algorithm that it names
/// (shardbench/wire.hpp).

namespace shardbench::test {

void check_barrier(Comm& comm);
void check_broadcast(Comm& comm, std::size_t count, DType dtype, int root);
void check_all_reduce(Comm& comm, std::size_t count, DType dtype, ReduceOp op);
/// `in_place`: the output is the own part of the input (reduce_scatter), the input of the output (all_gather).
void check_reduce_scatter(Comm& comm, const std::vector<std::size_t>& counts, DType dtype, ReduceOp op, bool in_place);
void check_all_gather(Comm& comm, const std::vector<std::size_t>& counts, DType dtype, bool in_place);
void check_all_to_all(Comm& comm, std::size_t count, DType dtype);
/// Every rank sends `bytes` to every other before it receives anything, over two tags that are received in turn.
void check_crossed_sends(Comm& comm, std::size_t bytes);
/// Random numbers, whose sums depend on the order: all ranks must hold the same bits.
void check_same_bits(Comm& comm, std::size_t count, DType dtype);

/// All of the above over all dtypes, operations and many sizes: none, fewer than ranks, more than a chunk, parts that
/// differ and empty parts.
void check_everything(Comm& comm);

}  // namespace shardbench::test
