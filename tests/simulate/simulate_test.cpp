#include "simulate/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "law/plans.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using testing::plan_of;

const Plan two_ranks = plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"});

// 0F0 0-1, 0F1 1-2; 1F0 1-2, 1B0 2-4, 1F1 4-5, 1B1 5-7; 0B0 4-6, 0B1 7-9.
TEST(Simulate, ByHand) {
  const Simulation s = simulate(two_ranks, {});
  EXPECT_EQ(s.makespan, 9);
  EXPECT_THAT(s.begins, ElementsAre(ElementsAre(0, 1, 4, 7), ElementsAre(1, 2, 4, 5)));
  EXPECT_EQ(s.ranks[0].start, 0);
  EXPECT_EQ(s.ranks[0].end, 9);
  EXPECT_EQ(s.ranks[0].busy, 6);
  EXPECT_EQ(s.ranks[0].idle_in_span(), 3);
  EXPECT_EQ(s.ranks[0].idle_in_makespan(s.makespan), 3);
  EXPECT_EQ(s.ranks[1].start, 1);
  EXPECT_EQ(s.ranks[1].idle_in_span(), 0);
  EXPECT_EQ(s.ranks[1].idle_in_makespan(s.makespan), 3);
  EXPECT_THAT(s.in_flight.until_input, ElementsAre(2, 1));
}

// Latency 1: 1F0 2-3, 1B0 3-5, 1F1 5-6, 1B1 6-8; 0B0 6-8, 0B1 9-11.
TEST(Simulate, LatencyDelaysWhatWaitsForAMessage) {
  EXPECT_THAT(simulate(two_ranks, {.latency = 1}).begins,
              ElementsAre(ElementsAre(0, 1, 6, 9), ElementsAre(2, 3, 5, 6)));
}

// A message takes 20 bytes / 10 = 2 to leave. F0 leaves 1-3, F1 is ready at 2 and leaves 3-5.
TEST(Simulate, MessagesOfALinkLeaveOneAfterAnother) {
  const Simulation s =
      simulate(plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"}), {.bytes_per_time = 10, .boundary_bytes = {20}});
  EXPECT_THAT(s.begins[1], ElementsAre(3, 5, 6, 8));
  EXPECT_THAT(s.begins[0], ElementsAre(0, 1, 10, 12));
  ASSERT_EQ(s.links.size(), 2U);
  EXPECT_EQ(std::tuple(s.links[0].from, s.links[0].to, s.links[0].messages, s.links[0].bytes),
            std::tuple(0, 1, 2U, 40U));
  EXPECT_EQ(std::tuple(s.links[1].from, s.links[1].to, s.links[1].messages, s.links[1].bytes),
            std::tuple(1, 0, 2U, 40U));
}

TEST(Simulate, StagesMayDifferInCostAndBytes) {
  const Simulation s =
      simulate(two_ranks, {.stages = {{1, 1, 1}, {2, 3, 1, 10}}, .bytes_per_time = 1, .boundary_bytes = {1, 1000}});
  EXPECT_THAT(s.begins, ElementsAre(ElementsAre(0, 1, 15, 27), ElementsAre(2, 4, 14, 16)));
  EXPECT_EQ(s.makespan, 29);
}

TEST(Simulate, AHopInsideARankCostsNothing) {
  const Plan v = plan_of({0, 1, 1, 0}, {"0F0 3F0 3I0 0I0 0W0 3W0", "1F0 2F0 2I0 1I0 1W0 2W0"});
  const Simulation s = simulate(v, {.latency = 5});
  EXPECT_THAT(s.begins, ElementsAre(ElementsAre(0, 13, 14, 27, 28, 29), ElementsAre(6, 7, 20, 21, 22, 23)));
  EXPECT_EQ(s.links.size(), 2U);
  EXPECT_EQ(s.links[0].messages, 2U);
  EXPECT_THAT(s.in_flight.until_weight, ElementsAre(2, 2));
}

std::string refusal(const Plan& plan, const SimulationCosts& costs) {
  try {
    simulate(plan, costs);
  } catch (const Error& e) {
    EXPECT_FALSE(e.cure().empty());
    return e.problem();
  }
  return "nothing was refused";
}

TEST(Simulate, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal(two_ranks, {.stages = {{}, {}, {}}}), "there are 3 costs for 2 stages");
  EXPECT_EQ(refusal(two_ranks, {.boundary_bytes = {1, 2, 3}}), "there are 3 boundaries for 2 stages");
  EXPECT_EQ(refusal(two_ranks, {.stages = {{-1, 1, 1}}}),
            "the cost of an action is -1.000000, but a time of 0 or more is needed");
  EXPECT_EQ(refusal(two_ranks, {.latency = -1}), "the latency is -1.000000, but a time of 0 or more is needed");
  EXPECT_EQ(refusal(two_ranks, {.bytes_per_time = 0}), "the bandwidth is not above 0");
  EXPECT_EQ(refusal(plan_of({0}, {"0B0 0F0"}), {}), "rank 0: 0B0 can never run: it needs 0F0, which comes later");
}

/// The earliest begins, by trying again and again until nothing moves: the definition, and no walk.
std::vector<std::vector<double>> by_relaxation(const Plan& plan, const SimulationCosts& costs) {
  using Key = std::tuple<bool, int, int>;  // forward, stage, microbatch
  std::vector<std::vector<double>> begins;
  for (const RankPlan& rank : plan.ranks) begins.emplace_back(rank.actions.size(), 0.0);
  const int last = static_cast<int>(plan.placement.size()) - 1;
  const auto home = [&](int stage) { return plan.placement[static_cast<std::size_t>(stage)]; };
  for (bool moved = true; moved;) {
    moved = false;
    std::map<Key, double> ends, arrives;
    for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
      std::map<int, double> left;  // by the rank that it goes to
      for (std::size_t i = 0; i < plan.ranks[r].actions.size(); ++i) {
        const Action& a = plan.ranks[r].actions[i];
        if (a.kind == ActionKind::backward_weight) continue;
        const bool forward = a.kind == ActionKind::forward;
        const int next = a.stage + (forward ? 1 : -1);
        const double end = begins[r][i] + costs.stages[static_cast<std::size_t>(a.stage)].of(a.kind);
        ends[{forward, a.stage, a.microbatch}] = end;
        if (next < 0 || next > last || home(next) == static_cast<int>(r)) continue;
        double& free = left[home(next)];
        free = std::max(free, end) +
               static_cast<double>(costs.boundary_bytes[static_cast<std::size_t>(std::min(a.stage, next))]) /
                   costs.bytes_per_time;
        arrives[{forward, next, a.microbatch}] = free + costs.latency;
      }
    }
    for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
      double before = 0;
      for (std::size_t i = 0; i < plan.ranks[r].actions.size(); ++i) {
        const Action& a = plan.ranks[r].actions[i];
        double earliest = before;
        if (a.kind != ActionKind::backward_weight) {
          const bool forward = a.kind == ActionKind::forward;
          const int source = a.stage + (forward ? -1 : 1);
          if (const auto it = arrives.find({forward, a.stage, a.microbatch}); it != arrives.end())
            earliest = std::max(earliest, it->second);
          else if (source >= 0 && source <= last)
            earliest = std::max(earliest, ends.at({forward, source, a.microbatch}));
        }
        moved = moved || earliest > begins[r][i];
        begins[r][i] = std::max(begins[r][i], earliest);
        before = begins[r][i] + costs.stages[static_cast<std::size_t>(a.stage)].of(a.kind);
      }
    }
  }
  return begins;
}

/// A valid plan: ranks take turns at random, each doing any of the actions that could run.
Plan random_plan(std::mt19937& random, int ranks, int stages, int microbatches) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Plan plan{{}, std::vector<RankPlan>(static_cast<std::size_t>(ranks))};
  for (int s = 0; s < stages; ++s)
    plan.placement.push_back(s < ranks ? s : static_cast<int>(below(static_cast<std::size_t>(ranks))));
  std::shuffle(plan.placement.begin(), plan.placement.end(), random);
  std::map<std::pair<int, int>, int> done;  // actions of (stage, microbatch): F, then B or I, then W
  std::map<std::pair<int, int>, bool> split;
  for (;;) {
    std::vector<Action> able;
    for (int s = 0; s < stages; ++s)
      for (int m = 0; m < microbatches; ++m) {
        const int here = done[{s, m}];
        if (here == 0 && (s == 0 || done[{s - 1, m}] > 0)) able.push_back({ActionKind::forward, s, m});
        if (here == 1 && (s == stages - 1 || done[{s + 1, m}] > 1))
          able.push_back({random() % 2 == 0 ? ActionKind::backward : ActionKind::backward_input, s, m});
        if (here == 2 && split[{s, m}]) able.push_back({ActionKind::backward_weight, s, m});
      }
    if (able.empty()) return plan;
    const Action a = able[below(able.size())];
    ++done[{a.stage, a.microbatch}];
    split[{a.stage, a.microbatch}] = a.kind == ActionKind::backward_input;
    plan.ranks[static_cast<std::size_t>(plan.placement[static_cast<std::size_t>(a.stage)])].actions.push_back(a);
  }
}

TEST(Simulate, IsTheEarliestPossibleOnRandomPlansAndCosts) {
  std::mt19937 random(7);
  const auto some = [&](int most) { return static_cast<double>(random() % static_cast<unsigned>(most)); };
  for (int trial = 0; trial < 200; ++trial) {
    const int ranks = 1 + static_cast<int>(random() % 4), stages = ranks + static_cast<int>(random() % 4);
    const int microbatches = 1 + static_cast<int>(random() % 5);
    const Plan plan = random_plan(random, ranks, stages, microbatches);
    ASSERT_NO_THROW(validate(plan, {ranks, 0, microbatches, {}}));
    SimulationCosts costs{.stages = {}, .latency = some(4), .bytes_per_time = 1 + some(3), .boundary_bytes = {}};
    for (int s = 0; s < stages; ++s) {
      costs.stages.push_back({some(5), some(5), some(5)});
      costs.boundary_bytes.push_back(random() % 6);
    }
    EXPECT_EQ(simulate(plan, costs).begins, by_relaxation(plan, costs)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace shardbench
