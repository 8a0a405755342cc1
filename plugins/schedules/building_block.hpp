#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// A schedule as one block of six actions per rank, F and I and W of both chunks, that is repeated for every microbatch
/// at a fixed interval (Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024, section 3: a building
/// block's lifespans divided by the interval are the memory). A time unit is one action; chunk 0 is stage r, chunk 1
/// stage 2p-1-r. The order of the actions is the schedule: what the block leaves idle is squeezed out by running.
class BuildingBlock {
 public:
  static constexpr int interval = 6;

  /// The units at which microbatch 0 has its F of chunk 0 and of chunk 1, its I of chunk 1 and of chunk 0, all four
  /// different modulo the interval. The W's take the two units that are left, each as soon as it can.
  explicit BuildingBlock(const std::array<int, 4>& places) : places_{places[0], places[1], places[2], places[3], 0, 0} {
    int& weight1 = places_[4] = next_free(places_[2]);
    int& weight0 = places_[5] = next_free(places_[3]);
    if (weight1 % interval != weight0 % interval) return;
    const bool first_came_first = weight1 - places_[2] > weight0 - places_[3];
    (first_came_first ? weight0 : weight1) = next_free(first_came_first ? weight0 : weight1);
  }

  RankPlan plan(const ScheduleInput& in, int rank) const {
    struct Timed {
      int time;
      Action action;
    };
    std::vector<Timed> timed;
    for (int m = 0; m < in.microbatches; ++m)
      for (std::size_t i = 0; i < places_.size(); ++i)
        timed.push_back({places_[i] + interval * m, {kinds[i], chunks[i] == 0 ? rank : 2 * in.ranks - 1 - rank, m}});
    std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) { return a.time < b.time; });
    RankPlan plan;
    for (const Timed& t : timed) plan.actions.push_back(t.action);
    return plan;
  }

  /// The most in flight, from the times alone: at every forward, the forwards begun less the gradients begun.
  ScheduleLaw law(int microbatches) const {
    const auto begun = [&](std::size_t i, int time) {
      const int since = time - places_[i];
      return since < 0 ? 0 : std::min(microbatches, since / interval + 1);
    };
    ScheduleLaw law;
    for (int m = 0; m < microbatches; ++m)
      for (const std::size_t forward : {0U, 1U}) {
        const int now = places_[forward] + interval * m;
        const int forwards = begun(0, now) + begun(1, now);
        law.peak_in_flight = std::max(law.peak_in_flight, forwards - begun(2, now) - begun(3, now));
        law.peak_in_flight_until_weight =
            std::max(law.peak_in_flight_until_weight, forwards - begun(4, now) - begun(5, now));
      }
    return law;
  }

 private:
  static constexpr std::array kinds{ActionKind::forward,         ActionKind::forward,
                                    ActionKind::backward_input,  ActionKind::backward_input,
                                    ActionKind::backward_weight, ActionKind::backward_weight};
  static constexpr std::array chunks{0, 1, 1, 0, 1, 0};

  /// The first unit after `time` that none of the four takes.
  int next_free(int time) const {
    const auto taken = [&](int t) {
      return std::any_of(places_.begin(), places_.begin() + 4, [&](int p) { return p % interval == t % interval; });
    };
    while (taken(++time)) {
    }
    return time;
  }
  std::array<int, 6> places_;
};

}  // namespace shardbench
