#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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

/// By the definition: the first later receive from the peer that the peer sends after it has received.
std::vector<int> by_search(const Plan& lowered, std::size_t rank) {
  const auto find = [&](int r, const Action& a) {
    const auto& actions = lowered.ranks[static_cast<std::size_t>(r)].actions;
    return std::find(actions.begin(), actions.end(), a) - actions.begin();
  };
  const auto other = [&](const Action& a) {
    using K = ActionKind;
    const bool up = a.kind == K::send_forward || a.kind == K::recv_backward;
    const int stage = a.stage + (up ? 1 : -1);
    const K kind = a.kind == K::send_forward    ? K::recv_forward
                   : a.kind == K::recv_forward  ? K::send_forward
                   : a.kind == K::send_backward ? K::recv_backward
                                                : K::send_backward;
    return std::pair(lowered.placement[static_cast<std::size_t>(stage)], Action{kind, stage, a.microbatch});
  };
  const auto& mine = lowered.ranks[rank].actions;
  std::vector<int> points(mine.size(), -1);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].kind != ActionKind::send_forward && mine[i].kind != ActionKind::send_backward) continue;
    const auto [peer, received] = other(mine[i]);
    for (std::size_t j = i + 1; j < mine.size() && points[i] < 0; ++j) {
      if (mine[j].kind != ActionKind::recv_forward && mine[j].kind != ActionKind::recv_backward) continue;
      const auto [from, sent] = other(mine[j]);
      if (from == peer && find(peer, sent) > find(peer, received)) points[i] = static_cast<int>(j);
    }
  }
  return points;
}

TEST(ReleasePoints, AreTheFirstThatCannotBlock) {
  for (const Plan& plan :
       {plan_of({0, 1, 2}, {"0F0 0F1 0F2 0B0 0F3 0B1 0B2 0B3", "1F0 1F1 1B0 1F2 1B1 1F3 1B2 1B3",
                            "2F0 2B0 2F1 2B1 2F2 2B2 2F3 2B3"}),
        plan_of({0, 1, 1, 0}, {"0F0 0F1 3F0 3I0 3F1 0I0 3W0 3B1 0W0 0B1", "1F0 2F0 1F1 2F1 2I0 1I0 2B1 2W0 1W0 1B1"}),
        plan_of({0, 1, 0, 1}, {"0F0 0F1 0F2 2F0 2F1 2F2 2B2 2B1 2B0 0B2 0B1 0B0",
                               "1F0 1F1 1F2 3F0 3F1 3F2 3B2 3B1 3B0 1B2 1B1 1B0"})}) {
    const Plan lowered = lower(plan);
    for (std::size_t r = 0; r < lowered.ranks.size(); ++r)
      EXPECT_EQ(release_points(lowered, static_cast<int>(r)), by_search(lowered, r));
  }
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
