#pragma once
#include <memory>

#include "control/planted.hpp"
#include "rank/program.hpp"

namespace shardbench {

/// The program with what is planted around it; itself where that is nothing.
///
/// Bytes are memory of the metered allocator under the role of weights, alive from before the checked steps to the end,
/// and claimed as weights: the allocator, the peak and the holdings all have them. A slowdown is a wait of that
/// share of the step's own time, inside what is timed; asleep but for its end, so that on fewer cores than ranks nobody
/// takes the time of another and the step has that share more, neither less nor twice as much.
std::unique_ptr<RankProgram> with_planted(std::unique_ptr<RankProgram> program, const Planted& planted);

}  // namespace shardbench
