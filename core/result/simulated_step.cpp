#include "result/simulated_step.hpp"

#include <vector>

#include "result/statistics.hpp"

namespace shardbench {
namespace {

/// The times of one stage in all timed steps.
std::vector<StageTime> times_of(const CaseResult& result, std::size_t stage) {
  const auto rank = static_cast<std::size_t>(result.schedule.plan.placement[stage]);
  std::vector<StageTime> times;
  for (const Launch& launch : result.launches) {
    if (!launch.rejected_by.empty()) continue;
    for (const Sample& sample : launch.samples)
      for (const StageTime& time : sample.ranks.at(rank).stages)
        if (static_cast<std::size_t>(time.stage) == stage) times.push_back(time);
  }
  return times;
}

double median_of(const std::vector<StageTime>& times, double StageTime::*kind) {
  std::vector<double> seconds;
  for (const StageTime& time : times) seconds.push_back(time.*kind);
  return median(std::move(seconds));
}

}  // namespace

std::optional<Simulation> simulated_step(const CaseResult& result) {
  if (result.spec.program != Program::pipeline || result.schedule.plan.placement.empty()) return std::nullopt;
  SimulationCosts costs;
  costs.stages.clear();
  for (std::size_t stage = 0; stage < result.schedule.plan.placement.size(); ++stage) {
    const std::vector<StageTime> times = times_of(result, stage);
    if (times.empty()) return std::nullopt;
    costs.stages.push_back({median_of(times, &StageTime::forward), median_of(times, &StageTime::input),
                            median_of(times, &StageTime::weight), median_of(times, &StageTime::backward)});
  }
  return simulate(result.schedule.plan, costs);
}

}  // namespace shardbench
