#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "result/case_result.hpp"
#include "result/machine_load.hpp"
#include "result/run_info.hpp"

/// results.json, whose shape is docs/results.schema.json. NaN and infinity are null. 64-bit hashes are text, because
/// most readers of JSON keep numbers as doubles.

namespace shardbench {

/// Changes when a field is renamed, removed or means something else; not when one is added.
inline constexpr int results_schema_version = 1;

/// Everything of one case, raw samples included.
nlohmann::ordered_json case_json(const CaseResult& result, const Environment& environment);

nlohmann::ordered_json environment_json(const Environment& environment);

/// What else the machine did, as results.json tells it.
nlohmann::ordered_json load_json(const MachineLoad& load);

nlohmann::ordered_json run_json(const RunInfo& run);

/// One line of text; bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace shardbench
