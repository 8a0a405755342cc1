#pragma once
#include <vector>

#include "cli/inputs.hpp"
#include "result/predicted_cases.hpp"

namespace shardbench {

/// The laws of every case of the suites, rank by rank, without starting a rank. A case whose plugin gives none has the
/// reason in place of them.
std::vector<PredictedCase> suite_laws(const Inputs& inputs);

}  // namespace shardbench
