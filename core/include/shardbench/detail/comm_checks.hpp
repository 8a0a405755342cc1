#pragma once
#include <string>

#include "shardbench/comm.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

inline void Comm::check_rank(int rank, const char* what) const {
  if (rank < 0 || rank >= world_)
    throw Error(std::string(what) + " is rank " + std::to_string(rank) + ", but ranks are 0 to " +
                std::to_string(world_ - 1));
}

inline void Comm::check_peer(int rank, const char* what) const {
  check_rank(rank, what);
  if (rank == rank_)
    throw Error(std::string(what) + " of rank " + std::to_string(rank_) + " names itself as the peer", {},
                "copy locally in place of sending");
}

inline void Comm::check_counts(std::span<const std::size_t> counts, const char* what) const {
  if (counts.size() != static_cast<std::size_t>(world_))
    throw Error(std::string(what) + " was given " + std::to_string(counts.size()) + " counts for a world of " +
                std::to_string(world_));
}

}  // namespace shardbench
