#include "law/plan_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plans.hpp"
#include "shardbench/error.hpp"

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
  EXPECT_TRUE(compute_only(std::vector<Action>{}).empty());
}

TEST(PlanText, OfAPlanIsALinePerRank) {
  const Plan plan = testing::plan_of({0, 1}, {"0F0 0SEND_F0 0RECV_B0 0I0 0W0", "1RECV_F0 1F0 1B0 1SEND_B0"});
  EXPECT_EQ(plan_text(plan), "0F0,0SEND_F0,0RECV_B0,0I0,0W0\n1RECV_F0,1F0,1B0,1SEND_B0\n");
  EXPECT_EQ(microbatches_of(plan), 1);
  const Plan read = parse_plan(plan_text(plan), "a.csv").plan;
  EXPECT_EQ(read.placement, plan.placement);
  EXPECT_EQ(read.ranks, plan.ranks);
}

// torch.distributed.pipelining.schedules: _Action.__repr__, _action_from_str and PipelineScheduleMulti._dump_csv.
TEST(ParsePlan, ReadsWhatPyTorchWrites) {
  const Plan plan = parse_plan(
                        "0F0, ,3F0,(0F1;3B0)OVERLAP_F_B,,0B0,0REDUCE_GRAD\r\n"
                        ",1UNSHARD,1F0,2F0,2B0,(1F1;1B0)OVERLAP_F_B,1RESHARD",
                        "a.csv")
                        .plan;
  EXPECT_THAT(testing::rows_of(plan), ElementsAre("0F0 3F0 0F1 3B0 0B0", "1F0 2F0 2B0 1F1 1B0"));
  EXPECT_THAT(plan.placement, ElementsAre(0, 1, 1, 0));
}

TEST(ParsePlan, ReadsWhatEditorsAndSpreadsheetsWrite) {
  for (const char* text : {"\xEF\xBB\xBF"
                           "0F0,0B0\n1F0,1B0\n",
                           "0F0\t0B0\n1F0\t1B0\n", "0F0,\t0B0\n\t1F0 ,\t1B0\t\n", "0F0,0B0\r\n1F0,1B0\r\n",
                           "0F0,0B0\n1F0,1B0\n\n \n\t\r\n\n", "0F0,0B0,,\n1F0,1B0,,\n,,,\n", "0F0,0B0\n1F0,1B0"})
    EXPECT_THAT(testing::rows_of(parse_plan(text, "a.csv").plan), ElementsAre("0F0 0B0", "1F0 1B0")) << text;
}

TEST(ParsePlan, SaysWhereEachActionIs) {
  const ParsedPlan parsed = parse_plan(
      "\xEF\xBB\xBF"
      "0F0, 0B0\n\n1F0\t(1F1;1B0)OVERLAP_F_B\n",
      "a.csv");
  EXPECT_THAT(parsed.lines, ElementsAre(1, 2, 3));
  EXPECT_THAT(parsed.columns, ElementsAre(ElementsAre(4, 9), ElementsAre(), ElementsAre(1, 5, 5)));
}

struct BadText {
  std::string text, problem, where;
};

TEST(ParsePlan, SaysWhereItIsWrong) {
  for (const BadText& bad : {BadText{"0F0,0Q0", "\"0Q0\" is not an action", "a.csv:1:5"},
                             {"0F0\n1F0, 1F", "\"1F\" is not an action", "a.csv:2:6"},
                             {"F0", "\"F0\" is not an action", "a.csv:1:1"},
                             {"0F0x", "\"0F0x\" is not an action", "a.csv:1:1"},
                             {"0F-1", "\"0F-1\" is not an action", "a.csv:1:1"},
                             {"0F99999999999", "\"0F99999999999\" is not an action", "a.csv:1:1"},
                             {"99999999F0", "\"99999999F0\" is not an action", "a.csv:1:1"},
                             {"(0F0;0B0)", "\"(0F0;0B0)\" is not an action", "a.csv:1:1"},
                             {"(0F0)OVERLAP_F_B", "\"(0F0)OVERLAP_F_B\" is not an action", "a.csv:1:1"},
                             {"REDUCE_GRAD", "\"REDUCE_GRAD\" is not an action", "a.csv:1:1"},
                             {"0F0\n0B0", "stage 0 is on rank 0 and on rank 1", "a.csv:2:1"},
                             {"0F0\n2F0", "stage 1 of 3 is on no rank", "a.csv:2:1"},
                             {"", "there are no actions", "a.csv:1:1"},
                             {"\n,,\n", "there are no actions", "a.csv:1:1"},
                             {"\xEF\xBB\xBF"
                              "0F",
                              "\"0F\" is not an action", "a.csv:1:4"},
                             {std::string("\x7F"
                                          "ELF\x02\0\x01",
                                          7),
                              "\"\\x7FELF\\x02\\x00\\x01\" is not an action", "a.csv:1:1"},
                             {"0F0\r0B0", "\"0F0\\x0D0B0\" is not an action", "a.csv:1:1"},
                             {"0REDUCE_GRAD", "there are no actions", "a.csv:1:1"}}) {
    try {
      parse_plan(bad.text, "a.csv");
      ADD_FAILURE() << bad.text;
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), bad.problem);
      EXPECT_EQ(e.where(), bad.where);
      EXPECT_FALSE(e.cure().empty());
    }
  }
}

}  // namespace
}  // namespace shardbench
