#include "suite/gate_json.hpp"

namespace shardbench {

using nlohmann::ordered_json;

void to_json(ordered_json& json, const Gate& gate) {
  ordered_json metrics = ordered_json::object();
  for (const auto& [name, metric] : gate.metrics) {
    ordered_json& entry = metrics[name] = {{"better", name_of(metric.better)}};
    if (metric.threshold) entry["threshold"] = *metric.threshold;
    if (metric.launches) entry["launches"] = *metric.launches;
  }
  json = {{"threshold", gate.threshold},
          {"launches", gate.launches},
          {"significance", gate.significance},
          {"confirming_launches", gate.confirming_launches},
          {"most_confirming_launches", gate.most_confirming_launches},
          {"confirming_significance", gate.confirming_significance},
          {"metrics", std::move(metrics)}};
}

void from_json(const ordered_json& json, Gate& gate) {
  json.at("threshold").get_to(gate.threshold);
  json.at("launches").get_to(gate.launches);
  json.at("significance").get_to(gate.significance);
  json.at("confirming_launches").get_to(gate.confirming_launches);
  gate.most_confirming_launches = json.value("most_confirming_launches", gate.confirming_launches);
  gate.confirming_significance = json.value("confirming_significance", gate.confirming_significance);
  for (const auto& [name, entry] : json.at("metrics").items()) {
    MetricGate& metric = gate.metrics[name];
    metric.better = better_named(entry.at("better").get<std::string>());
    if (entry.contains("threshold")) metric.threshold = entry.at("threshold").get<double>();
    if (entry.contains("launches")) metric.launches = entry.at("launches").get<int>();
  }
}

}  // namespace shardbench
