#pragma once
#include <cstddef>
#include <cstdint>

#include "suite/case.hpp"

namespace shardbench {

/// Elements of all parameters of a model: in*out per Linear layer, and out more where it has a bias.
inline std::uint64_t parameter_count(const ModelSpec& model) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i + 1 < model.widths.size(); ++i) {
    const auto in = static_cast<std::uint64_t>(model.widths[i]);
    const auto out = static_cast<std::uint64_t>(model.widths[i + 1]);
    count += in * out + (model.bias ? out : 0);
  }
  return count;
}

}  // namespace shardbench
