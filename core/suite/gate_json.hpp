#pragma once
#include <nlohmann/json.hpp>

#include "suite/gate.hpp"

/// A gate as results.json keeps it, so that a comparison needs no suite. Reading is strict, as of a case.

namespace shardbench {

void to_json(nlohmann::ordered_json& json, const Gate& gate);
void from_json(const nlohmann::ordered_json& json, Gate& gate);

}  // namespace shardbench
