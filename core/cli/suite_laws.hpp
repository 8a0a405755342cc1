#pragma once
#include <vector>

#include "cli/inputs.hpp"
#include "result/predicted_cases.hpp"

namespace shardbench {

/// The laws of every case of the suites, rank by rank, without starting a rank. Loads the rank library (for the models'
/// shapes) and the strategies where there is a training case. Throws `Error` where one cannot be loaded.
std::vector<PredictedCase> suite_laws(const Inputs& inputs);

}  // namespace shardbench
