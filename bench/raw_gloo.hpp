#pragma once
#include <gloo/context.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

/// Gloo as its own documentation has it, without the plugin: what the plugin is compared with.

namespace shardbench::bench {

enum class Pairs { as_made, synchronous };

/// Two ranks that meet in `folder`, which must be fresh.
std::shared_ptr<gloo::Context> raw_context(int rank, const std::string& folder, Pairs pairs);

/// gloo::allreduce (ring over unbound buffers), the sum in place.
void raw_all_reduce(const std::shared_ptr<gloo::Context>& context, float* data, std::size_t count);
/// gloo::AllreduceHalvingDoubling (bound buffers), made once and run often.
std::function<void()> raw_halving_doubling(const std::shared_ptr<gloo::Context>& context, float* data,
                                           std::size_t count);
/// gloo::allgather: `count` elements of every rank.
void raw_all_gather(const std::shared_ptr<gloo::Context>& context, float* mine, float* all, std::size_t count);
/// There and back between two ranks, over unbound buffers.
void raw_ping_pong(const std::shared_ptr<gloo::Context>& context, float* data, std::size_t count);

}  // namespace shardbench::bench
