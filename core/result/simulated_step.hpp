#pragma once
#include <optional>

#include "result/case_result.hpp"
#include "simulate/simulate.hpp"

namespace shardbench {

/// The plan of a pipeline case, simulated with the seconds that F, B, I and W of each stage took in this very run: the
/// median, over the timed steps of all launches, of a step's mean. Messages take no time, so the measured step is
/// longer by what communication and shared cores cost. Nothing where no step was timed.
std::optional<Simulation> simulated_step(const CaseResult& result);

}  // namespace shardbench
