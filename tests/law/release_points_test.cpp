#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"
#include "law/walk.hpp"

namespace shardbench {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::plan_of;

// Rank 0: 0F0 SEND 0F1 SEND RECV_B0 0B0 RECV_B1 0B1. Rank 1 receives both before it sends anything back, so both sends
// are surely done at the first receive (index 4). Rank 1 receives nothing after its sends.
TEST(ReleasePoints, OfGpipe) {
  const Plan lowered = lower(plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"}));
  EXPECT_THAT(release_points(lowered, 0), ElementsAre(-1, 4, -1, 4, -1, -1, -1, -1));
  EXPECT_THAT(release_points(lowered, 1), Each(-1));
}

// Rank 0 sends F1 before rank 1 has sent B0, but rank 1 receives F1 after that: the send of F1 can only be collected
// with B1.
TEST(ReleasePoints, OfOneForwardOneBackward) {
  const Plan lowered = lower(plan_of({0, 1}, {"0F0 0F1 0B0 0F2 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"}));
  //                        0F0 SEND_F0 0F1 SEND_F1 RECV_B0 0B0 0F2 SEND_F2 RECV_B1 0B1 RECV_B2 0B2
  EXPECT_THAT(release_points(lowered, 0), ElementsAre(-1, 4, -1, 8, -1, -1, -1, 10, -1, -1, -1, -1));
  // RECV_F0 1F0 1B0 SEND_B0 RECV_F1 1F1 1B1 SEND_B1 RECV_F2 ...: F2 is sent after B0 was received, F1 before.
  EXPECT_THAT(release_points(lowered, 1), ElementsAre(-1, -1, -1, 8, -1, -1, -1, -1, -1, -1, -1, -1));
}

TEST(ReleasePoints, NeverBlock) {
  const Plan plan = plan_of({0, 1, 2}, {"0F0 0F1 0F2 0B0 0F3 0B1 0B2 0B3", "1F0 1F1 1B0 1F2 1B1 1F3 1B2 1B3",
                                        "2F0 2B0 2F1 2B1 2F2 2B2 2F3 2B3"});
  const Plan lowered = lower(plan);
  for (unsigned seed = 0; seed < 200; ++seed) {
    testing::RandomWalk walk(lowered, seed);
    walk.run();
    EXPECT_GT(walk.released(), 0);
  }
}

}  // namespace
}  // namespace shardbench
