#pragma once
#include <cstddef>

#include "comm/gloo/link.hpp"

namespace shardbench::gloo_comm {

/// Binomial tree (`wire::broadcast_children` states its edges), chunk by chunk: a rank passes a chunk on before it
/// receives the next.
void broadcast(Link& link, void* data, std::size_t bytes, int root);

/// Dissemination (Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", 1988): in round k, an empty
/// message to rank + 2^k and one from rank - 2^k.
void barrier(Link& link);

}  // namespace shardbench::gloo_comm
