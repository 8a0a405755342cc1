#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "law/plan.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// What the actions of one stage take, in any one unit of time (seconds where they were measured).
struct StageCosts {
  double forward = 1, backward_input = 1, backward_weight = 1;
  std::optional<double> backward = {};  ///< a whole backward (B); nothing: that of I and W together

  double of(ActionKind kind) const;
};

/// What a plan is simulated with. A list has one entry for all stages or one for each.
struct SimulationCosts {
  std::vector<StageCosts> stages = {{}};
  double latency = 0;  ///< of a message to another rank, in the same unit
  double bytes_per_time = std::numeric_limits<double>::infinity();
  std::vector<std::uint64_t> boundary_bytes = {};  ///< output of stage s for one microbatch; none: messages are empty
};

/// What one rank does in the simulated step. Times count from the start of the step.
struct SimulatedRank {
  double start = 0, end = 0;  ///< of its first and its last action
  double busy = 0;            ///< time in actions

  double idle_in_span() const { return end - start - busy; }
  double idle_in_makespan(double makespan) const { return makespan - busy; }
};

/// What one rank sends to another.
struct SimulatedLink {
  int from = 0, to = 0;
  std::uint64_t messages = 0, bytes = 0;
};

/// The step of a plan, action by action.
struct Simulation {
  double makespan = 0;
  std::vector<SimulatedRank> ranks;
  PeakInFlight in_flight;
  std::vector<SimulatedLink> links;         ///< by from, then to; those that carry something
  std::vector<std::vector<double>> begins;  ///< by rank and action
  std::vector<std::vector<bool>> follows;   ///< ... which begins when the rank's action before it ends, or at 0
  std::vector<StageCosts> stages;           ///< one per stage

  double takes(const Action& a) const { return stages[static_cast<std::size_t>(a.stage)].of(a.kind); }
};

/// Runs a valid plan (without its communication) on ranks that do each action as soon as the one before it is done and
/// its input is there. A message leaves when its action ends and the ones before it to the same rank have left, takes
/// bytes / bytes_per_time to leave and `latency` to arrive; sending costs the ranks nothing. Time and memory are linear
/// in the number of actions. Throws `Error` where costs are negative or not for as many stages as there are, or the
/// plan cannot run.
Simulation simulate(const Plan& plan, const SimulationCosts& costs);

}  // namespace shardbench
