#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// What can run next, in a list that shuffles.
class Bag {
 public:
  explicit Bag(unsigned seed) : random_(seed) {}
  bool empty() const { return actions_.empty(); }
  void put(const Action& a) { actions_.push_back(a); }
  bool flip() { return random_() % 2 == 0; }
  Action draw() {
    std::swap(actions_[random_() % actions_.size()], actions_.back());
    const Action a = actions_.back();
    actions_.pop_back();
    return a;
  }
  template <typename List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[random_() % i], list[i - 1]);
  }

 private:
  std::mt19937 random_;  // the same numbers everywhere, unlike the distributions of the library
  std::vector<Action> actions_;
};

/// Any valid plan: stages on ranks at random, and one order at random of all that the dependencies allow. With
/// split = mixed every microbatch of every stage tosses for B, or I and W.
Plan shuffled(const ScheduleInput& in) {
  Bag bag(static_cast<unsigned>(std::stoi(in.option("seed", "0"))));
  Plan plan{round_robin_placement(in), std::vector<RankPlan>(static_cast<std::size_t>(in.ranks))};
  bag.shuffle(plan.placement);
  const int last = static_cast<int>(plan.placement.size()) - 1;
  const std::string split = in.option("split", "yes");
  const auto put_backward = [&](int stage, int m) {
    const bool parts = split == "yes" || (split == "mixed" && bag.flip());
    bag.put({parts ? ActionKind::backward_input : ActionKind::backward, stage, m});
  };
  for (int m = 0; m < in.microbatches; ++m) bag.put({ActionKind::forward, 0, m});
  while (!bag.empty()) {
    const Action a = bag.draw();
    plan.ranks[static_cast<std::size_t>(plan.placement[static_cast<std::size_t>(a.stage)])].actions.push_back(a);
    if (a.kind == ActionKind::forward && a.stage < last) bag.put({ActionKind::forward, a.stage + 1, a.microbatch});
    if (a.kind == ActionKind::forward && a.stage == last) put_backward(last, a.microbatch);
    if (a.kind == ActionKind::backward_input) bag.put({ActionKind::backward_weight, a.stage, a.microbatch});
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input)
      if (a.stage > 0) put_backward(a.stage - 1, a.microbatch);
  }
  return plan;
}

/// Counted in the plan: there is no closed form of chance.
ScheduleLaw shuffled_law(const ScheduleInput& in, int rank) {
  ScheduleLaw law{0, 0};
  const Plan plan = shuffled(in);
  int input = 0, weight = 0;
  for (const Action& a : plan.ranks[static_cast<std::size_t>(rank)].actions) {
    if (a.kind == ActionKind::forward) {
      law.peak_in_flight = std::max(law.peak_in_flight, ++input);
      law.peak_in_flight_until_weight = std::max(law.peak_in_flight_until_weight, ++weight);
    }
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) --input;
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) --weight;
  }
  return law;
}

}  // namespace

SHARDBENCH_SCHEDULE(shuffled, shuffled_law, "shuffled", "1.0.0", "Any valid plan, at random, for tests",
                    "seed=0|1|2|3|4|5|6|7;chunks=1|2|3|4;split=no|yes|mixed")
