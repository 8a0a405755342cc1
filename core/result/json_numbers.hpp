#pragma once
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

namespace shardbench {

/// A number of results in JSON; null, which stands for none, is NaN.
inline double number_of(const nlohmann::ordered_json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

inline std::vector<double> numbers_of(const nlohmann::ordered_json& json) {
  std::vector<double> values;
  values.reserve(json.size());
  for (const auto& value : json) values.push_back(number_of(value));
  return values;
}

}  // namespace shardbench
