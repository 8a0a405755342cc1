#include <gtest/gtest.h>

#include <numeric>

#include "law/plan.hpp"
#include "law/stages.hpp"
#include "law/walk.hpp"
#include "plugins/schedules/schedule.hpp"

// What must hold for every schedule, whatever the ranks and microbatches.

namespace shardbench {
namespace {

class EverySchedule : public ::testing::TestWithParam<const char*> {
 protected:
  template <class Check>
  void for_all_shapes(Check check) {
    const testing::Schedule schedule(GetParam());
    for (int ranks = 1; ranks <= 8; ++ranks)
      for (int microbatches = 1; microbatches <= 16; ++microbatches) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(microbatches) + " microbatches");
        check(schedule, ranks, microbatches);
      }
  }
};

TEST_P(EverySchedule, IsValid) {
  for_all_shapes([](const testing::Schedule& schedule, int p, int m) {
    EXPECT_NO_THROW(validate(schedule.plan(p, m), {p, 1, m, {}}));
  });
}

TEST_P(EverySchedule, HasTheMicrobatchesInFlightOfItsLaw) {
  for_all_shapes([](const testing::Schedule& schedule, int p, int m) {
    const PeakInFlight simulated = peak_in_flight(schedule.plan(p, m)), law = schedule.law(p, m);
    EXPECT_EQ(simulated.until_input, law.until_input);
    EXPECT_EQ(simulated.until_weight, law.until_weight);
  });
}

TEST_P(EverySchedule, RunsToItsEndAndCollectsNoSendTooEarly) {
  for_all_shapes([](const testing::Schedule& schedule, int p, int m) {
    const Plan lowered = lower(schedule.plan(p, m));
    for (unsigned seed = 0; seed < 3; ++seed) testing::RandomWalk(lowered, seed).run();
  });
}

TEST_P(EverySchedule, SendsEveryBoundaryOnceEachWay) {
  for_all_shapes([](const testing::Schedule& schedule, int p, int m) {
    const auto traffic = pipeline_traffic(lower(schedule.plan(p, m)), std::vector<std::uint64_t>(p, 100));
    std::uint64_t sent = 0, received = 0;
    for (const Traffic& t : traffic) {
      sent += t.sent_bytes();
      received += t.received_bytes();
    }
    EXPECT_EQ(sent, received);
    EXPECT_EQ(sent, 2u * 100u * static_cast<unsigned>(m) * static_cast<unsigned>(p - 1));
  });
}

INSTANTIATE_TEST_SUITE_P(Plugins, EverySchedule, ::testing::Values("gpipe", "1f1b"),
                         [](const auto& test) { return std::string("plugin_") + test.param; });

}  // namespace
}  // namespace shardbench
