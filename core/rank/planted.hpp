#pragma once
#include <memory>

#include "control/planted.hpp"
#include "rank/program.hpp"

namespace shardbench {

/// The program with what is planted around it; itself where that is nothing.
///
/// Bytes are memory of the metered allocator under the role of weights, alive from before the checked steps to the end,
/// and claimed as weights: the allocator, the peak and the holdings all have them. A slowdown is a busy wait of rank 0
/// for that share of its own time of the step, inside what is timed: the others wait for it in the next step, and on
/// fewer cores than ranks it takes the time of one of them, no more.
std::unique_ptr<RankProgram> with_planted(std::unique_ptr<RankProgram> program, const Planted& planted, int rank);

}  // namespace shardbench
