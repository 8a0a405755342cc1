#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"
#include "plugins/schedules/schedule.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Schedule;

// torch.distributed.pipelining.ScheduleGPipe and Schedule1F1B of two ranks, three microbatches.
TEST(Schedules, PlansOfTwoRanks) {
  EXPECT_THAT(testing::rows_of(Schedule("gpipe").plan(2, 3)),
              ElementsAre("0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1F2 1B0 1B1 1B2"));
  EXPECT_THAT(testing::rows_of(Schedule("1f1b").plan(2, 3)),
              ElementsAre("0F0 0F1 0B0 0F2 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"));
}

// p = 4, m = 8: the microbatches in flight that are published for both (Narayanan et al., SC 2021).
TEST(Schedules, InFlightOfFourRanks) {
  EXPECT_THAT(peak_in_flight(Schedule("gpipe").plan(4, 8)).until_input, ElementsAre(8, 8, 8, 8));
  EXPECT_THAT(peak_in_flight(Schedule("1f1b").plan(4, 8)).until_input, ElementsAre(4, 3, 2, 1));
}

TEST(Schedules, InFlightWithFewerMicrobatchesThanRanks) {
  EXPECT_THAT(peak_in_flight(Schedule("gpipe").plan(4, 2)).until_input, ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(peak_in_flight(Schedule("1f1b").plan(4, 2)).until_input, ElementsAre(2, 2, 2, 1));
}

TEST(Schedules, RefuseSeveralChunks) {
  for (const std::string name : {"gpipe", "1f1b"}) {
    const Schedule schedule(name);
    try {
      schedule.plan(2, 4, 2);
      ADD_FAILURE() << name << " takes 2 chunks";
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), name + " has 1 stage per rank, but 2 chunks are asked for");
    }
  }
}

}  // namespace
}  // namespace shardbench
