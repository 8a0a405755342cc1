#include "suite/gate_table.hpp"

#include <algorithm>

namespace shardbench {
namespace {

constexpr NumberReader any_threshold{0, 10, false, true};
constexpr NumberReader any_significance{0, 0.5, false, true};
constexpr IntegerReader any_launches{2, 1000};

MetricGate read_metric(TableReader reader) {
  MetricGate metric;
  metric.threshold = reader.one("threshold", any_threshold).value;
  if (const auto launches = reader.one("launches", any_launches).value) metric.launches = static_cast<int>(*launches);
  if (const auto better = reader.one("better", ChoiceReader{{"smaller", "larger", "neither"}}).value)
    metric.better = better_named(*better);
  reader.finish();
  return metric;
}

}  // namespace

Gate read_gate(TableReader& top) {
  Gate gate;
  auto reader = top.table("gate");
  if (!reader) return gate;
  gate.threshold = reader->one("threshold", any_threshold).value.value_or(gate.threshold);
  gate.launches = static_cast<int>(reader->one("launches", any_launches).value.value_or(gate.launches));
  gate.significance = reader->one("significance", any_significance).value.value_or(gate.significance);
  const auto confirming = reader->one("confirming_launches", any_launches).value;
  gate.confirming_launches = static_cast<int>(confirming.value_or(gate.confirming_launches));
  const IntegerReader more{gate.confirming_launches, 1000};
  const auto most = reader->one("most_confirming_launches", more).value;
  gate.most_confirming_launches =
      static_cast<int>(most.value_or(std::max(gate.most_confirming_launches, gate.confirming_launches)));
  gate.confirming_significance =
      reader->one("confirming_significance", any_significance).value.value_or(gate.confirming_significance);
  for (auto& [name, metric] : reader->named_tables("metric")) gate.metrics[name] = read_metric(std::move(metric));
  reader->finish();
  return gate;
}

}  // namespace shardbench
