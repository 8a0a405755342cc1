#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;
using testing::plan_of;

constexpr auto rank0 = "0F0 0F1 0B0 0B1";
constexpr auto rank1 = "1F0 1B0 1F1 1B1";

std::string refusal(const Plan& plan, int ranks = 2, int microbatches = 2, int chunks = 1) {
  try {
    validate(plan, {ranks, chunks, microbatches, {}});
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "the schedule's plan");
    EXPECT_FALSE(e.cure().empty());
    return e.problem();
  }
  return "nothing was refused";
}

TEST(Validate, TakesRightPlans) {
  EXPECT_NO_THROW(validate(plan_of({0, 1}, {rank0, rank1}), {2, 1, 2, {}}));
  EXPECT_NO_THROW(validate(plan_of({0, 1}, {"0F0 0I0 0F1 0W0 0B1", "1F0 1I0 1W0 1F1 1B1"}), {2, 1, 2, {}}));
  EXPECT_NO_THROW(validate(plan_of({0, 1, 1, 0}, {"0F0 3F0 3B0 0B0", "1F0 2F0 2B0 1B0"}), {2, 2, 1, {}}));
}

TEST(Validate, RefusesAMissingAction) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {rank0, "1F0 1B0 1B1"})),
            "rank 1: F of stage 1, microbatch 1 is done 0 times, not once");
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0F1 0B0", rank1})),
            "rank 0: B (or I) of stage 0, microbatch 1 is done 0 times, not once");
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0F1 0B0 0I1", rank1})),
            "rank 0: B (or W) of stage 0, microbatch 1 is done 0 times, not once");
}

TEST(Validate, RefusesAnActionDoneTwice) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0F0 0F1 0B0 0B1", rank1})),
            "rank 0: F of stage 0, microbatch 0 is done 2 times, not once");
  EXPECT_EQ(refusal(plan_of({0, 1}, {rank0, "1F0 1B0 1F1 1B1 1I1"})),
            "rank 1: B (or I) of stage 1, microbatch 1 is done 2 times, not once");
  EXPECT_EQ(refusal(plan_of({0, 1}, {rank0, "1F0 1B0 1F1 1B1 1W1"})),
            "rank 1: B (or W) of stage 1, microbatch 1 is done 2 times, not once");
}

TEST(Validate, RefusesAnActionOnTheWrongRank) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 1F0 0F1 0B0 0B1", rank1})), "rank 0: 1F0 belongs to rank 1");
}

TEST(Validate, RefusesWhatIsOutside) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {rank0, "1F0 1B0 1F1 1B1 2F0"})),
            "rank 1: 2F0 is outside 2 stages and 2 microbatches");
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0F1 0F2 0B0 0B1", rank1})),
            "rank 0: 0F2 is outside 2 stages and 2 microbatches");
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0F-1 0F1 0B0 0B1", rank1})),
            "rank 0: 0F-1 is outside 2 stages and 2 microbatches");
}

TEST(Validate, RefusesCommunicationInAPlan) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0F0 0SEND_F0 0F1 0B0 0B1", rank1})),
            "rank 0: 0SEND_F0 is communication, which the core adds");
}

TEST(Validate, RefusesWhatCanNeverRun) {
  EXPECT_EQ(refusal(plan_of({0, 1}, {"0B0 0F0 0F1 0B1", rank1})),
            "rank 0: 0B0 can never run: it needs 0F0, which comes later");
  EXPECT_EQ(
      refusal(plan_of({0, 1}, {rank0, "1F0 1F1 1W0 1I0 1B1"})),
      "rank 0: 0B0 can never run: it needs 1I0 of rank 1, which is behind 1W0, which needs 1I0, which comes later");
  // Each rank waits for the other: neither order alone is wrong.
  EXPECT_EQ(
      refusal(plan_of({0, 1}, {"0F0 0B0 0F1 0B1", "1F1 1B1 1F0 1B0"})),
      "rank 0: 0B0 can never run: it needs 1B0 of rank 1, which is behind 1F1, which needs 0F1 of rank 0, which is "
      "behind 0B0");
}

TEST(Validate, RefusesAPlacementThatDoesNotFit) {
  EXPECT_EQ(refusal(plan_of({0}, {rank0, rank1})),
            "the plan places 1 stages on 2 ranks, but there are 2 stages and 2 ranks");
  EXPECT_EQ(refusal(plan_of({0, 1}, {rank0})),
            "the plan places 2 stages on 1 ranks, but there are 2 stages and 2 ranks");
  EXPECT_EQ(refusal(plan_of({0, 2}, {rank0, rank1})), "stage 1 is placed on rank 2 of 2");
  EXPECT_EQ(refusal(plan_of({0, -1}, {rank0, rank1})), "stage 1 is placed on rank -1 of 2");
  EXPECT_EQ(refusal(plan_of({}, {}), 0),
            "there are 0 ranks, 1 chunks and 2 microbatches, but at least 1 of each is needed");
}

TEST(Validate, RefusesARankWithoutAStage) {
  EXPECT_EQ(refusal(plan_of({0, 0}, {"0F0 1F0 1B0 0B0", ""}), 2, 1), "rank 1: it has no stage");
}

// With 3 bytes for each of a million microbatches on a thousand stages this would need 3 GB.
TEST(Validate, ASlipInANumberCostsNoMemory) {
  Plan plan{std::vector<int>(1000), std::vector<RankPlan>(1000)};
  for (int s = 0; s < 1000; ++s) {
    plan.placement[static_cast<std::size_t>(s)] = s;
    plan.ranks[static_cast<std::size_t>(s)].forward(s, 0);
    plan.ranks[static_cast<std::size_t>(s)].backward(s, s == 0 ? 999'999 : 0);
  }
  EXPECT_EQ(refusal(plan, 1000, 1'000'000), "rank 0: F of stage 0, microbatch 1 is done 0 times, not once");
}

TEST(Validate, TakesAnyNumberOfStagesWhereThePlanSaysIt) {
  const Plan uneven = plan_of({0, 1, 1}, {"0F0 0B0", "1F0 2F0 2B0 1B0"});
  EXPECT_NO_THROW(validate(uneven, {2, 0, 1, {}}));
  EXPECT_EQ(refusal(uneven, 2, 1), "the plan places 3 stages on 2 ranks, but there are 2 stages and 2 ranks");
}

TEST(Validate, LeavesOutTheMiddleOfALongChain) {
  Plan plan{{}, std::vector<RankPlan>(12)};
  for (int r = 0; r < 12; ++r) {
    plan.placement.push_back(r);
    if (r == 11) plan.ranks.back().backward(r, 0);
    plan.ranks[static_cast<std::size_t>(r)].forward(r, 0);
    if (r < 11) plan.ranks[static_cast<std::size_t>(r)].backward(r, 0);
  }
  const std::string problem = refusal(plan, 12, 1);
  EXPECT_THAT(problem, HasSubstr("rank 0: 0B0 can never run: it needs 1B0 of rank 1, which needs 2B0"));
  EXPECT_THAT(problem, HasSubstr("which (4 ranks left out), which needs 9B0 of rank 9"));
  EXPECT_THAT(problem, ::testing::EndsWith("which needs 11F0, which comes later"));
}

TEST(Validate, TellsACircleWholeAndNotWhatLeadsIntoIt) {
  // Rank 0 waits for rank 1, which waits for rank 2, which waits for rank 1.
  const Plan plan = plan_of({0, 1, 2}, {"0F0 0B0 0F1 0B1", "1F0 1B0 1F1 1B1", "2F1 2B1 2F0 2B0"});
  EXPECT_EQ(refusal(plan, 3),
            "rank 1: 1B0 can never run: it needs 2B0 of rank 2, which is behind 2F1, which needs 1F1 of rank 1, which "
            "is behind 1B0");
}

std::string lowered_refusal(std::initializer_list<std::string> rows, int microbatches = 1) {
  try {
    validate_lowered(plan_of({0, 1}, rows), {2, 1, microbatches, {}});
  } catch (const Error& e) {
    return e.problem();
  }
  return "nothing was refused";
}

TEST(ValidateLowered, ChecksEveryMessage) {
  constexpr auto first = "0F0 0SEND_F0 0RECV_B0 0B0", last = "1RECV_F0 1F0 1B0 1SEND_B0";
  EXPECT_EQ(lowered_refusal({first, last}), "nothing was refused");
  EXPECT_EQ(lowered_refusal({"0F0 0RECV_B0 0B0", last}), "rank 0: 0SEND_F0 is missing");
  EXPECT_EQ(lowered_refusal({first, "1RECV_F0 1F0 1B0 1SEND_B0 1SEND_B0"}), "rank 1: 1SEND_B0 is there twice");
  EXPECT_EQ(lowered_refusal({first, "1RECV_F0 1F0 1SEND_F0 1B0 1SEND_B0"}),
            "rank 1: 1SEND_F0 is between stages of one rank, or none");
}

TEST(ValidateLowered, RefusesADeadlock) {
  EXPECT_EQ(
      lowered_refusal({"0F0 0RECV_B0 0SEND_F0 0B0", "1RECV_F0 1F0 1B0 1SEND_B0"}),
      "rank 0: 0RECV_B0 can never run: it needs 1SEND_B0 of rank 1, which is behind 1RECV_F0, which needs 0SEND_F0 "
      "of rank 0, which is behind 0RECV_B0");
  EXPECT_EQ(
      lowered_refusal({"0F0 0SEND_F0 0RECV_B0 0B0", "1F0 1RECV_F0 1B0 1SEND_B0"}),
      "rank 0: 0RECV_B0 can never run: it needs 1SEND_B0 of rank 1, which is behind 1F0, which needs 1RECV_F0, which "
      "comes later");
  // A receive that comes early is no deadlock: sends are buffered.
  EXPECT_EQ(lowered_refusal({"0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0RECV_B1 0B0 0B1",
                             "1RECV_F0 1RECV_F1 1F0 1B0 1SEND_B0 1F1 1B1 1SEND_B1"},
                            2),
            "nothing was refused");
}

}  // namespace
}  // namespace shardbench
