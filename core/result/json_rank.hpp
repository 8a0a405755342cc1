#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "result/quantities.hpp"

namespace shardbench {

/// Adds a member that the object does not have yet, without looking for it.
void append(nlohmann::ordered_json& object, std::string_view key, nlohmann::ordered_json value);

/// A cell as JSON: null where it is empty.
nlohmann::ordered_json cell_json(const Cell& cell);

/// Operations that were called, by name.
nlohmann::ordered_json traffic_json(const Traffic& traffic);

/// One rank's report of one launch: its quantities by column name, and what no column holds.
nlohmann::ordered_json rank_json(const Row& row);

}  // namespace shardbench
