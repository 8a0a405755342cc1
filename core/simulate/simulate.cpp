#include "simulate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "law/plan_text.hpp"
#include "law/plan_walk.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& cure) {
  throw Error(problem, "simulate", cure);
}

/// One entry per stage, of a list with one for each or one for all.
template <class T>
std::vector<T> per_stage(const std::vector<T>& list, std::size_t stages, const char* what) {
  if (list.size() == stages) return list;
  if (list.size() != 1)
    refuse("there are " + std::to_string(list.size()) + " " + what + " for " + std::to_string(stages) + " stages",
           "give one for all stages or one for each");
  return std::vector<T>(stages, list.front());
}

void check(double cost, const char* what) {
  if (!(cost >= 0) || !std::isfinite(cost))
    refuse(std::string(what) + " is " + std::to_string(cost) + ", but a time of 0 or more is needed", "correct it");
}

/// What a rank has sent to one other.
struct Sending {
  int to = 0;
  double free = 0;  ///< when the last message has left
  std::uint64_t messages = 0, bytes = 0;
};

class Simulator {
 public:
  Simulator(const Plan& plan, const SimulationCosts& costs) : plan_(plan), costs_(costs), sendings_(plan.ranks.size()) {
    const std::size_t stages = plan.placement.size();
    result_.stages = per_stage(costs.stages, stages, "costs");
    bytes_ = costs.boundary_bytes.empty() ? std::vector<std::uint64_t>(stages, 0)
                                          : per_stage(costs.boundary_bytes, stages, "boundaries");
    for (const StageCosts& stage : result_.stages)
      for (const ActionKind kind :
           {ActionKind::forward, ActionKind::backward, ActionKind::backward_input, ActionKind::backward_weight})
        check(stage.of(kind), "the cost of an action");
    check(costs.latency, "the latency");
    if (!(costs.bytes_per_time > 0)) refuse("the bandwidth is not above 0", "give it in bytes per unit of time");
  }

  Simulation run() {
    for (const RankPlan& rank : plan_.ranks) {
      result_.begins.emplace_back(rank.actions.size());
      arrivals_.emplace_back(rank.actions.size());
      result_.follows.emplace_back(rank.actions.size());
    }
    result_.ranks.resize(plan_.ranks.size());
    PlanWalk walk(plan_, microbatches_of(plan_));
    walk.run([&](int rank, std::size_t index, const ActionPlace& from) { visit(rank, index, from); });
    if (const auto stuck = walk.stuck())
      refuse("rank " + std::to_string(stuck->place.rank) + ": " + stuck->why, "validate the plan first");
    result_.in_flight = peak_in_flight(plan_);
    for (std::size_t r = 0; r < sendings_.size(); ++r) collect(static_cast<int>(r));
    return std::move(result_);
  }

 private:
  void visit(int rank, std::size_t index, const ActionPlace& from) {
    const auto r = static_cast<std::size_t>(rank);
    const Action& a = plan_.ranks[r].actions[index];
    SimulatedRank& mine = result_.ranks[r];
    const double input =
        from.exists() ? arrivals_[static_cast<std::size_t>(from.rank)][static_cast<std::size_t>(from.index)] : 0;
    const double begin = std::max(mine.end, input);
    if (index == 0) mine.start = begin;
    result_.follows[r][index] = input <= mine.end;
    result_.begins[r][index] = begin;
    mine.busy += result_.takes(a);
    mine.end = begin + result_.takes(a);
    result_.makespan = std::max(result_.makespan, mine.end);
    send(rank, a, index);
  }

  /// What the action gives to a neighbouring stage on another rank.
  void send(int rank, const Action& a, std::size_t index) {
    if (a.kind == ActionKind::backward_weight) return;
    const int next = a.kind == ActionKind::forward ? a.stage + 1 : a.stage - 1;
    if (next < 0 || next == static_cast<int>(plan_.placement.size())) return;
    const int to = plan_.placement[static_cast<std::size_t>(next)];
    if (to == rank) return;
    const auto r = static_cast<std::size_t>(rank);
    auto found = std::find_if(sendings_[r].begin(), sendings_[r].end(), [&](const Sending& s) { return s.to == to; });
    if (found == sendings_[r].end()) found = sendings_[r].insert(found, Sending{to, 0, 0, 0});
    const std::uint64_t bytes = bytes_[static_cast<std::size_t>(std::min(a.stage, next))];
    found->free = std::max(found->free, result_.ranks[r].end) + static_cast<double>(bytes) / costs_.bytes_per_time;
    ++found->messages;
    found->bytes += bytes;
    arrivals_[r][index] = found->free + costs_.latency;
  }

  void collect(int rank) {
    auto& sent = sendings_[static_cast<std::size_t>(rank)];
    std::sort(sent.begin(), sent.end(), [](const Sending& a, const Sending& b) { return a.to < b.to; });
    for (const Sending& s : sent) result_.links.push_back({rank, s.to, s.messages, s.bytes});
  }

  const Plan& plan_;
  const SimulationCosts& costs_;
  std::vector<std::uint64_t> bytes_;            ///< output of each stage
  std::vector<std::vector<Sending>> sendings_;  ///< by rank; a rank has few neighbours
  std::vector<std::vector<double>> arrivals_;   ///< by rank and action: when its message is at the other rank
  Simulation result_;
};

}  // namespace

double StageCosts::of(ActionKind kind) const {
  switch (kind) {
    case ActionKind::forward: return forward;
    case ActionKind::backward: return backward.value_or(backward_input + backward_weight);
    case ActionKind::backward_input: return backward_input;
    case ActionKind::backward_weight: return backward_weight;
    default: return 0;
  }
}

Simulation simulate(const Plan& plan, const SimulationCosts& costs) { return Simulator(plan, costs).run(); }

}  // namespace shardbench
