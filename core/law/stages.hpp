#pragma once
#include <cstdint>
#include <vector>

#include "shardbench/schedule.hpp"
#include "shardbench/wire.hpp"

namespace shardbench {

/// The layers [first, first + count) of one stage.
struct StageLayers {
  int first = 0;
  int count = 0;
};

/// Layers dealt to stages as evenly as they can be: the first `layers mod stages` stages have one more.
StageLayers stage_layers(int layers, int stages, int stage);

/// What every rank sends and receives in one step of a plan: `boundary_bytes[s]` is the output of stage s for one
/// microbatch, in bytes; its gradient has as many.
std::vector<Traffic> pipeline_traffic(const Plan& lowered, const std::vector<std::uint64_t>& boundary_bytes);

}  // namespace shardbench
