#include <gtest/gtest.h>

#include "plugins/schedules/schedule.hpp"

namespace shardbench {
namespace {

using testing::Schedule;
using Refusal = std::pair<std::string, std::string>;

TEST(Schedules, RefuseChunksThatTheyDoNotHave) {
  for (const std::string name : {"gpipe", "1f1b", "eager_1f1b", "zb_h1", "zb_h2"})
    EXPECT_EQ(Schedule(name).refusal({2, 2, 4, {}}), Refusal(name + " has 1 stage per rank, but 2 chunks are asked for",
                                                             "set chunks = 1, or take another schedule"));
  for (const std::string name : {"zbv", "v_half", "v_min", "dualpipev"})
    EXPECT_EQ(Schedule(name).refusal({2, 1, 8, {}}), Refusal(name + " has 2 stages per rank, but 1 chunk is asked for",
                                                             "set chunks = 2, or take another schedule"));
}

TEST(Schedules, RefuseMicrobatchesThatDoNotFit) {
  for (const std::string name : {"interleaved_1f1b", "interleaved_zb"}) {
    EXPECT_EQ(Schedule(name).refusal({4, 2, 13, {}}),
              Refusal(name + " on 4 ranks takes the microbatches in 3 rounds, but 13 microbatches cannot be dealt "
                             "evenly to them",
                      "take a multiple of 3 microbatches, best one of the ranks"));
    EXPECT_NO_THROW(Schedule(name).plan(4, 3, 2)) << "fewer than ranks are one round";
  }
  EXPECT_EQ(Schedule("dualpipev").refusal({4, 2, 7, {}}),
            Refusal("dualpipev fills 8 stages at once, but there are 7 microbatches",
                    "take at least 8 microbatches, or zbv"));
}

}  // namespace
}  // namespace shardbench
