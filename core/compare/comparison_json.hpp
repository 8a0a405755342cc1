#pragma once
#include <nlohmann/json_fwd.hpp>

#include "compare/comparison.hpp"

namespace shardbench {

/// Changes when a field is renamed, removed or means something else; not when one is added.
inline constexpr int comparison_schema_version = 1;

/// comparison.json: every verdict with its evidence; its fields are explained in docs/compare.md.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

}  // namespace shardbench
