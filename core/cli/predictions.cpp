#include "cli/predictions.hpp"

#include <map>

#include "law/plan.hpp"
#include "law/stages.hpp"
#include "plugin/loaded.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Schedule plugins stay loaded until the driver ends.
const PluginDescriptor& schedule_plugin(const PluginInfo& info) {
  static std::map<std::string, LoadedPlugin> loaded;
  return loaded.try_emplace(info.file.string(), info).first->second.descriptor();
}

/// Bytes of every stage's output for one microbatch.
std::vector<std::uint64_t> boundary_bytes(const Case& spec, int stages) {
  std::vector<std::uint64_t> bytes;
  for (int s = 0; s < stages; ++s) {
    const StageLayers part = stage_layers(spec.model.layers(), stages, s);
    const auto width = static_cast<std::uint64_t>(
        spec.model.widths[static_cast<std::size_t>(part.first) + static_cast<std::size_t>(part.count)]);
    bytes.push_back(static_cast<std::uint64_t>(spec.batch / spec.horizon) * width * size_of(spec.dtype));
  }
  return bytes;
}

}  // namespace

SchedulePrediction predict_schedule(const Case& spec, const Catalogue& catalogue) {
  const PluginDescriptor& schedule = schedule_plugin(*catalogue.find(PluginKind::schedule, spec.schedule));
  const ScheduleInput in{spec.world, 1, spec.horizon, spec.options};
  try {
    SchedulePrediction p;
    p.plan = schedule.schedule_plan(in);
    validate(p.plan, in);
    p.simulated_in_flight = peak_in_flight(p.plan);
    for (int rank = 0; rank < spec.world; ++rank)
      p.law_in_flight.push_back(schedule.schedule_law(in, rank).peak_in_flight);
    p.traffic = pipeline_traffic(lowered_plan(p), boundary_bytes(spec, static_cast<int>(p.plan.placement.size())));
    return p;
  } catch (const Error& e) {
    throw Error("schedule '" + spec.schedule + "' with " + std::to_string(spec.world) + " ranks and " +
                    std::to_string(spec.horizon) + " microbatches: " + e.problem(),
                spec.place.text(), e.cure().empty() ? "change world or horizon" : e.cure());
  }
}

Plan lowered_plan(const SchedulePrediction& prediction) { return lower(prediction.plan); }

}  // namespace shardbench
