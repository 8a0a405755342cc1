#include "suite/gate.hpp"

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

const MetricGate* find(const Gate& gate, const std::string& metric) {
  const auto it = gate.metrics.find(metric);
  return it == gate.metrics.end() ? nullptr : &it->second;
}

}  // namespace

double Gate::threshold_of(const std::string& metric) const {
  const MetricGate* own = find(*this, metric);
  return own != nullptr ? own->threshold.value_or(threshold) : threshold;
}

int Gate::launches_of(const std::string& metric) const {
  const MetricGate* own = find(*this, metric);
  return own != nullptr ? own->launches.value_or(launches) : launches;
}

Better Gate::better_of(const std::string& metric) const {
  const MetricGate* own = find(*this, metric);
  return own != nullptr ? own->better : Better::smaller;
}

bool Gate::judges_time(const std::string& metric) const {
  return metric == "step_median_s" || find(*this, metric) != nullptr;
}

std::string name_of(Better better) {
  switch (better) {
    case Better::smaller: return "smaller";
    case Better::larger: return "larger";
    case Better::neither: return "neither";
  }
  return "?";
}

Better better_named(const std::string& name) {
  for (const Better b : {Better::smaller, Better::larger, Better::neither})
    if (name == name_of(b)) return b;
  throw Error("'" + name + "' is no direction of a metric", "", "say smaller, larger or neither");
}

}  // namespace shardbench
