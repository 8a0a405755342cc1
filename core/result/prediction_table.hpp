#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "law/predict.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// How predictions are shown.
struct PredictionTable {
  std::optional<std::uint64_t> memory = {};  ///< of a rank: which fit, and the cheapest of them on the wire
  bool exact = false;                        ///< "31,406,250,000" in place of "31.4 GB"
};

/// One line per strategy, in bytes per rank; with memory, a last line that names the one to take.
std::string prediction_table(const std::vector<Prediction>& predictions, const PredictionTable& how);

}  // namespace shardbench
