#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "suite/case.hpp"
#include "suite/table_reader.hpp"

namespace shardbench {

/// What tables name: nothing stands for a definition that is there but says nothing usable. What is usable may still
/// have had problems; they have been reported.
struct Definitions {
  std::map<std::string, std::optional<ModelSpec>> models;
  std::map<std::string, std::optional<OptimizerSpec>> optimizers;  ///< with adamw, sgd and momentum, always there
};

/// Most parameters of a model, and elements of an activation: 2^31 - 1, so that no count of bytes overflows.
inline constexpr std::int64_t most_elements = 2147483647;

/// The tables [model.NAME] and [optimizer.NAME].
Definitions read_definitions(TableReader& top, Problems& problems);

}  // namespace shardbench
