#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace shardbench::testing {

/// Where a value breaks a JSON Schema, one line each; empty where it does not. It knows type, const, enum, required,
/// properties, additionalProperties, items and local $ref, and reports any other keyword that restricts.
std::vector<std::string> schema_errors(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace shardbench::testing
