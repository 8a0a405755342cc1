#include "cli/predictions.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/schedules.hpp"
#include "law/plan.hpp"
#include "law/stages.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

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

PredictedPipeline predict_schedule(const Case& spec, const Catalogue& catalogue, PluginHost& host) {
  const PluginInfo& schedule = *catalogue.find(PluginKind::schedule, spec.schedule);
  try {
    const std::string folder = std::filesystem::path(spec.place.file).parent_path().string();
    const PlannedSchedule planned = plan_schedule(
        host, schedule, {spec.world, chunks_of(schedule, spec.options), spec.horizon, spec.options, folder},
        spec.deadline_s);
    const int stages = static_cast<int>(planned.plan.placement.size());
    if (stages > spec.model.layers())
      throw Error(fmt::format("there are {} stages, but the model has {} layers", stages, spec.model.layers()), {},
                  fmt::format("give the model at least {} layers", stages));
    SchedulePrediction p;
    p.plan = planned.plan;
    for (const ScheduleLaw& law : planned.laws) {
      p.law_in_flight.push_back(law.peak_in_flight);
      p.law_in_flight_until_weight.push_back(law.peak_in_flight_until_weight);
    }
    const PeakInFlight peaks = peak_in_flight(p.plan);
    p.simulated_in_flight = peaks.until_input;
    p.simulated_in_flight_until_weight = peaks.until_weight;
    p.traffic = pipeline_traffic(lowered_plan(p), boundary_bytes(spec, stages));
    return {std::move(p), std::nullopt};
  } catch (const PluginFault& fault) {
    return {{}, fault};
  } catch (const Error& e) {
    throw Error("schedule '" + spec.schedule + "' with " + std::to_string(spec.world) + " ranks and " +
                    std::to_string(spec.horizon) + " microbatches: " + e.problem(),
                spec.place.text(), e.cure().empty() ? "change world or horizon" : e.cure());
  }
}

void lose(CaseResult& result, FaultKind kind, const std::string& why) {
  result.launches.clear();
  result.detail = why;
  result.status = kind == FaultKind::timeout       ? Status::timeout
                  : kind == FaultKind::interrupted ? Status::skipped
                                                   : Status::crashed;
}

Plan lowered_plan(const SchedulePrediction& prediction) { return lower(prediction.plan); }

}  // namespace shardbench
