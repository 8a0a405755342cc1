#pragma once
#include <string>
#include <vector>

#include "result/case_result.hpp"
#include "shardbench/law.hpp"

namespace shardbench {

/// A case of a suite by its laws alone.
struct PredictedCase {
  Case spec;
  std::vector<Law> laws = {};        ///< training and collective: one per rank
  SchedulePrediction schedule = {};  ///< pipeline
  std::string problem = {};          ///< why its plugin gave none of them
};

/// One line per case: bytes of the rank with the largest value; microbatches in flight rank by rank. Cases
/// with a problem are left out.
std::string predicted_cases(const std::vector<PredictedCase>& cases);

}  // namespace shardbench
