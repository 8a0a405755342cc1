#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using testing::plan_of;
using testing::rows_of;

TEST(Lower, GpipeOfTwoRanks) {
  const Plan gpipe = plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"});
  EXPECT_THAT(rows_of(lower(gpipe)), ElementsAre("0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1",
                                                 "1RECV_F0 1F0 1RECV_F1 1F1 1B0 1SEND_B0 1B1 1SEND_B1"));
}

TEST(Lower, OneForwardOneBackwardOfTwoRanks) {
  const Plan plan = plan_of({0, 1}, {"0F0 0F1 0B0 0F2 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"});
  EXPECT_THAT(rows_of(lower(plan)),
              ElementsAre("0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0F2 0SEND_F2 0RECV_B1 0B1 0RECV_B2 0B2",
                          "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1 1RECV_F2 1F2 1B2 1SEND_B2"));
}

TEST(Lower, AMiddleRankReceivesAndSendsBothWays) {
  const Plan plan = plan_of({0, 1, 2}, {"0F0 0B0", "1F0 1B0", "2F0 2B0"});
  EXPECT_THAT(rows_of(lower(plan)),
              ElementsAre("0F0 0SEND_F0 0RECV_B0 0B0", "1RECV_F0 1F0 1SEND_F0 1RECV_B0 1B0 1SEND_B0",
                          "2RECV_F0 2F0 2B0 2SEND_B0"));
}

TEST(Lower, TheInputGradientIsSentAndTheWeightGradientIsNot) {
  const Plan plan = plan_of({0, 1}, {"0F0 0B0", "1F0 1I0 1W0"});
  EXPECT_THAT(rows_of(lower(plan)), ElementsAre("0F0 0SEND_F0 0RECV_B0 0B0", "1RECV_F0 1F0 1I0 1SEND_B0 1W0"));
}

TEST(Lower, NeighboursOnOneRankSendNothing) {
  EXPECT_THAT(rows_of(lower(plan_of({0}, {"0F0 0B0"}))), ElementsAre("0F0 0B0"));
  const Plan v = plan_of({0, 1, 1, 0}, {"0F0 3F0 3B0 0B0", "1F0 2F0 2B0 1B0"});
  EXPECT_THAT(rows_of(lower(v)), ElementsAre("0F0 0SEND_F0 3RECV_F0 3F0 3B0 3SEND_B0 0RECV_B0 0B0",
                                             "1RECV_F0 1F0 2F0 2SEND_F0 2RECV_B0 2B0 1B0 1SEND_B0"));
}

TEST(Lower, KeepsThePlacement) { EXPECT_THAT(lower(plan_of({0, 1}, {"", ""})).placement, ElementsAre(0, 1)); }

TEST(PeakInFlight, EndsWithBOrIAndNotWithW) {
  const Plan plan = plan_of({0, 1}, {"0F0 0F1 0I0 0F2 0W0 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"});
  EXPECT_THAT(peak_in_flight(plan).until_input, ElementsAre(2, 1));
  EXPECT_THAT(peak_in_flight(plan_of({0}, {""})).until_input, ElementsAre(0));
}

TEST(PeakInFlight, UntilWeightEndsWithBOrW) {
  const Plan plan = plan_of({0, 1}, {"0F0 0F1 0I0 0F2 0W0 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"});
  EXPECT_THAT(peak_in_flight(plan).until_weight, ElementsAre(3, 1));
  EXPECT_THAT(peak_in_flight(plan_of({0}, {""})).until_weight, ElementsAre(0));
}

}  // namespace
}  // namespace shardbench
