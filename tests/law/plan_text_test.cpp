#include "law/plan_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plans.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;

// The form of torch.distributed.pipelining.schedules._Action.__repr__.
TEST(PlanText, IsPyTorchsPipelineIr) {
  EXPECT_EQ(text(Action{ActionKind::forward, 2, 0}), "2F0");
  EXPECT_EQ(text(Action{ActionKind::backward, 0, 13}), "0B13");
  EXPECT_EQ(text(Action{ActionKind::backward_input, 1, 2}), "1I2");
  EXPECT_EQ(text(Action{ActionKind::backward_weight, 1, 2}), "1W2");
  EXPECT_EQ(text(Action{ActionKind::send_forward, 3, 1}), "3SEND_F1");
  EXPECT_EQ(text(Action{ActionKind::recv_forward, 4, 1}), "4RECV_F1");
  EXPECT_EQ(text(Action{ActionKind::send_backward, 12, 1}), "12SEND_B1");
  EXPECT_EQ(text(Action{ActionKind::recv_backward, 3, 10}), "3RECV_B10");
}

TEST(PlanText, ComputeOnlyKeepsTheOrderAndDropsCommunication) {
  const Plan plan = testing::plan_of({0}, {"0RECV_F0 0F0 0SEND_F0 0RECV_B0 0I0 0SEND_B0 0W0 0F1 0B1"});
  EXPECT_THAT(compute_only(plan.ranks[0].actions),
              ElementsAre(testing::action_of("0F0"), testing::action_of("0I0"), testing::action_of("0W0"),
                          testing::action_of("0F1"), testing::action_of("0B1")));
  EXPECT_TRUE(compute_only({}).empty());
}

}  // namespace
}  // namespace shardbench
