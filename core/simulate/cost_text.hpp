#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "simulate/simulate.hpp"

namespace shardbench {

/// Costs as typed: "F=1,B=1,W=1": what a stage's forward, gradient of the input (tB of docs/laws.md, the action I) and
/// gradient of the weights take; a whole backward takes both. Stages that differ are listed with slashes, one for each:
/// "F=1/1/2". What is not named is 1. Throws `Error` where it is no such text.
std::vector<StageCosts> parse_costs(std::string_view text);

/// "F 1, B 1, W 1", or "F 1/1/2, B 1, W 1".
std::string costs_text(const std::vector<StageCosts>& stages);

}  // namespace shardbench
