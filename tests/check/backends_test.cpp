#include "good_case.hpp"
#include "outcomes.hpp"

namespace shardbench {
namespace {

constexpr auto backends_agree = "backends_agree";

CaseResult on_mpi(CaseResult result) {
  result.spec.id = "on-mpi";
  result.spec.backend = "mpi";
  for (Launch& launch : result.launches)
    for (RankReport& r : launch.ranks) r.bytes_on_wire.reset();  // Open MPI does not tell
  return result;
}

InvariantOutcome compared(const CaseResult& result, const CaseResult& other) {
  const CaseResult* const others[] = {&other};
  for (InvariantOutcome& o : check_case(result, {}, others))
    if (o.name == backends_agree) return o;
  return {};
}

void expect_failed_with(const CaseResult& result, const CaseResult& other, const std::string& message) {
  const auto outcome = compared(result, other);
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_EQ(outcome.message, message);
}

TEST(BackendsAgree, IsNotRunForTheFirst) {
  testing::expect_not_run(testing::good_training(), backends_agree,
                          "no case of the same work on another backend has ended before");
}

TEST(BackendsAgree, PassesForTheSameNumbers) {
  EXPECT_EQ(compared(on_mpi(testing::good_training()), testing::good_training()).verdict, Verdict::passed);
  EXPECT_EQ(compared(on_mpi(testing::good_pipeline()), testing::good_pipeline()).verdict, Verdict::passed);
}

TEST(BackendsAgree, FailsForAByteMore) {
  CaseResult mpi = on_mpi(testing::good_training());
  mpi.launches[0].ranks[1].weights_bytes += 1;
  const auto outcome = compared(mpi, testing::good_training());
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_NE(outcome.message.find("rank 1: weights_bytes is 1052673, but 1052672 in zero2-w2"), std::string::npos)
      << outcome.message;
}

TEST(BackendsAgree, FailsForOtherVolume) {
  CaseResult mpi = on_mpi(testing::good_training());
  mpi.launches[0].ranks[0].traffic[Operation::all_gather].sent_bytes += 4;
  const auto outcome = compared(mpi, testing::good_training());
  EXPECT_EQ(outcome.verdict, Verdict::failed);
  EXPECT_NE(outcome.message.find("rank 0: sent_bytes is 2105348, but 2105344 in zero2-w2"), std::string::npos)
      << outcome.message;
}

TEST(BackendsAgree, DemandsEveryBitOfLossesAndParametersAtWorld2) {
  CaseResult mpi = on_mpi(testing::good_training());
  mpi.launches[0].ranks[1].losses[2] = 3.0000001;
  expect_failed_with(mpi, testing::good_training(), "rank 1: the loss of step 3 is 3.0000001, but 3 in zero2-w2");
  mpi = on_mpi(testing::good_training());
  mpi.launches[0].ranks[0].parameters_hash = 0x1;
  expect_failed_with(mpi, testing::good_training(),
                     "rank 0: parameters have hash 0000000000000001, but 0000000000abcdef in zero2-w2");
}

TEST(BackendsAgree, AllowsOtherOrdersOfAdditionAboveThat) {
  CaseResult mpi = on_mpi(testing::good_training(4));
  mpi.launches[0].ranks[1].losses[2] = 3.0000001;
  mpi.launches[0].ranks[0].parameters_hash = 0x1;
  EXPECT_EQ(compared(mpi, testing::good_training(4)).verdict, Verdict::passed);
  mpi.launches[0].ranks[1].losses[0] = 3.5000001;  // before anything was added up
  expect_failed_with(mpi, testing::good_training(4), "rank 1: the loss of step 1 is 3.5000001, but 3.5 in zero2-w4");
  mpi.launches[0].ranks[1].losses[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compared(mpi, testing::good_training(4)).verdict, Verdict::failed);
}

}  // namespace
}  // namespace shardbench
