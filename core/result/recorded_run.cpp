#include "result/recorded_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "result/step_times.hpp"

namespace shardbench {

Quantities::Quantities(Names names, std::vector<double> values) : names_(std::move(names)), values_(std::move(values)) {
  if ((names_ ? names_->size() : 0) != values_.size())
    throw std::invalid_argument("Quantities: names and values differ");
}

std::optional<double> Quantities::find(std::string_view name) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if ((*names_)[i] == name) return std::isnan(values_[i]) ? std::nullopt : std::optional(values_[i]);
  return std::nullopt;
}

bool is_launch_time(std::string_view column) {
  return column == "step_median_s" || std::any_of(step_phases.begin(), step_phases.end(), [&](const StepPhase& phase) {
           return column == std::string(phase.name) + "_s";
         });
}

const RecordedCase* RecordedRun::find(std::string_view id) const {
  const auto it = std::find_if(cases.begin(), cases.end(), [&](const RecordedCase& c) { return c.id == id; });
  return it == cases.end() ? nullptr : &*it;
}

std::vector<PluginFile> RecordedRun::plugins_of(const RecordedCase& c) const {
  constexpr std::array<std::pair<const char*, const char*>, 3> fields = {
      {{"comm", "backend"}, {"strategy", "strategy"}, {"schedule", "schedule"}}};
  std::vector<PluginFile> used;
  for (const PluginFile& plugin : environment.plugins)
    for (const auto& [kind, field] : fields)
      if (const auto name = c.spec.find(field);
          plugin.kind == kind && name != c.spec.end() && name->second == plugin.name)
        used.push_back(plugin);
  return used;
}

bool RecordedRun::green() const {
  return !finished.empty() && !cases.empty() && injected.empty() && !regressed &&
         std::all_of(cases.begin(), cases.end(), [](const RecordedCase& c) { return c.status == Status::ok; });
}

}  // namespace shardbench
