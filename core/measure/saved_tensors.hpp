#pragma once
#include "control/report.hpp"

/// The saved-tensor instrument: what autograd keeps for backward, by default saved-variable hooks given out by an
/// engine of ours (the hooks of torch.autograd.graph.saved_tensors_hooks, without Python).
///
/// On during audit steps alone: the hooks switch autograd's check of in-place changes off.

namespace shardbench::measure {

/// From now on every tensor saved for backward is counted.
void start_saved_tensors();
/// Stops counting and gives the counts. A tensor is alive from its save to its first use (the notebook's count).
SavedTensors stop_saved_tensors();

}  // namespace shardbench::measure
