#pragma once
#include <cstddef>
#include <span>

#include "comm/gloo/link.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/dtype.hpp"

/// Collectives of whole arrays over blocking streams: rings (Patarasuk and Yuan, "Bandwidth optimal all-reduce
/// algorithms", JPDC 2009), with the parts in the order that shardbench/wire.hpp states. For worlds of 2 and more.

namespace shardbench::gloo_comm {

void reduce_scatter(Link& link, void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                    ReduceOp op);
void all_gather(Link& link, const void* input, void* output, std::span<const std::size_t> counts, DType dtype);
/// Two ranks exchange their arrays and both add: as many bytes as a ring sends, in one round in place of two, which is
/// faster at any size although each adds twice as much. More ranks: reduce_scatter and all_gather of even parts.
void all_reduce(Link& link, void* data, std::size_t count, DType dtype, ReduceOp op);
/// Pairwise: in round s, rank r sends to r + s and receives from r - s.
void all_to_all(Link& link, const void* input, void* output, std::size_t count, DType dtype);

}  // namespace shardbench::gloo_comm
