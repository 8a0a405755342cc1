#pragma once
#include <string>

#include <nlohmann/json.hpp>

#include "suite/case.hpp"

/// A case as JSON, as it travels to the ranks: every field under its own name, enums by their names. Reading it back
/// gives the same case, to the last bit of every number, from text and from CBOR. Reading is strict: a missing key
/// throws nlohmann::json::out_of_range, an unknown name of an enum `Error`.

namespace shardbench {

void to_json(nlohmann::json& json, const Place& place);
void from_json(const nlohmann::json& json, Place& place);
void to_json(nlohmann::json& json, const ModelSpec& model);
void from_json(const nlohmann::json& json, ModelSpec& model);
void to_json(nlohmann::json& json, const OptimizerSpec& optimizer);
void from_json(const nlohmann::json& json, OptimizerSpec& optimizer);
void to_json(nlohmann::json& json, const Case& c);
void from_json(const nlohmann::json& json, Case& c);

/// What the ranks of a case compute, whatever moves their data: equal for cases of tables of one name that differ in
/// the backend, its options and how often they are timed alone, and so must give equal numbers.
std::string work_of(const Case& c);

}  // namespace shardbench
