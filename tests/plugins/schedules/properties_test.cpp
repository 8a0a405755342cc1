#include <gtest/gtest.h>

#include <random>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "law/plans.hpp"
#include "law/stages.hpp"
#include "law/walk.hpp"
#include "plugins/schedules/schedule.hpp"

// What must hold for every schedule, whatever the ranks, chunks and microbatches.

namespace shardbench {
namespace {

class EverySchedule : public ::testing::TestWithParam<testing::Tried> {
 protected:
  template <class Check>
  void for_all_shapes(Check check) {
    const testing::Schedule schedule(GetParam().name);
    for (int ranks = 1; ranks <= 8; ++ranks)
      for (int microbatches = 1; microbatches <= 18; ++microbatches)
        for (const int chunks : GetParam().chunks) {
          if (!GetParam().takes(ranks, microbatches)) continue;
          SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(chunks) + " chunks, " +
                       std::to_string(microbatches) + " microbatches");
          const ScheduleInput in{ranks, chunks, microbatches, {}};
          check(schedule, in, schedule.plan(in));
        }
  }
};

TEST_P(EverySchedule, IsValidAndLowered) {
  for_all_shapes([](const testing::Schedule&, const ScheduleInput& in, const Plan& plan) {
    EXPECT_NO_THROW(validate(plan, in));
    EXPECT_NO_THROW(validate_lowered(lower(plan), in));
  });
}

TEST_P(EverySchedule, HasTheMicrobatchesInFlightOfItsLaw) {
  for_all_shapes([](const testing::Schedule& schedule, const ScheduleInput& in, const Plan& plan) {
    const PeakInFlight simulated = peak_in_flight(plan), law = schedule.law(in);
    EXPECT_EQ(simulated.until_input, law.until_input);
    EXPECT_EQ(simulated.until_weight, law.until_weight);
  });
}

TEST_P(EverySchedule, RunsToItsEndAndCollectsNoSendTooEarly) {
  for_all_shapes([](const testing::Schedule&, const ScheduleInput& in, const Plan& plan) {
    if (in.ranks > 4 || in.microbatches > 9) return;
    const Plan lowered = lower(plan);
    for (unsigned seed = 0; seed < 3; ++seed) testing::RandomWalk(lowered, seed).run();
  });
}

TEST_P(EverySchedule, SendsEveryBoundaryOnceEachWay) {
  for_all_shapes([](const testing::Schedule&, const ScheduleInput& in, const Plan& plan) {
    const auto traffic = pipeline_traffic(lower(plan), std::vector<std::uint64_t>(plan.placement.size(), 100));
    std::uint64_t sent = 0, received = 0, hops = 0;
    for (const Traffic& t : traffic) {
      sent += t.sent_bytes();
      received += t.received_bytes();
    }
    for (std::size_t s = 1; s < plan.placement.size(); ++s) hops += plan.placement[s] != plan.placement[s - 1];
    EXPECT_EQ(sent, received);
    EXPECT_EQ(sent, 2u * 100u * static_cast<unsigned>(in.microbatches) * hops);
    // p*v - 1 hops, 2(p - 1) of a V: the turn is on one rank.
    const bool v = plan.placement.back() == 0 && in.ranks > 1;
    EXPECT_EQ(hops, in.ranks == 1 ? 0u : static_cast<unsigned>(v ? 2 * in.ranks - 2 : in.ranks * in.chunks - 1));
  });
}

TEST_P(EverySchedule, IsTheSameAfterItsText) {
  for_all_shapes([](const testing::Schedule&, const ScheduleInput&, const Plan& plan) {
    for (const Plan& one : {plan, lower(plan)}) {
      const std::string text = plan_text(one);
      const Plan read = parse_plan(text, "text").plan;
      EXPECT_EQ(read.ranks, one.ranks);
      EXPECT_EQ(read.placement, one.placement);
      EXPECT_EQ(plan_text(read), text);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Plugins, EverySchedule, ::testing::ValuesIn(testing::all_schedules()),
                         [](const auto& test) { return std::string("plugin_") + test.param.name; });

}  // namespace
}  // namespace shardbench
