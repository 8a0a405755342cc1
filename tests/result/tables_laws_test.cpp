#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "result/table_parts.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

RankReport& rank(CaseResult& result, std::size_t rank, std::size_t launch = 0) {
  return result.launches[launch].ranks[rank];
}

}  // namespace

TEST(LawDeviations, NameTheFarthestCaseOfEachLaw) {
  std::vector<CaseResult> results = {good_training(), good_training(4, 2), good_pipeline()};
  rank(results[0], 1).peak.bytes -= 70;                           // 0.001 %
  rank(results[1], 3, 1).peak.bytes += 7000;                      // 0.1 %, in the second launch
  rank(results[1], 0).optimizer_bytes += 21053;                   // of 2,105,348
  rank(results[2], 1).traffic[Operation::send].sent_bytes = 512;  // of 1,024
  rank(results[2], 0).executed_in_flight = 3;                     // of 2
  rank(results[2], 1).saved.peak_bytes = 6144 + 6;
  rank(results[2], 0).activations_bytes += 4;  // of 2,048
  results[2].status = Status::failed;
  EXPECT_EQ(law_deviations(results, {}),
            R"(  law          cases  largest deviation  unit          of the law  case
  at rest          3            +21,053  bytes            1.000 %  zero2-w4
  peak             3             +7,000  bytes            0.100 %  zero2-w4
  sent             3               -512  bytes           50.000 %  1f1b-w2-h2
  in flight        1                 +1  microbatches    50.000 %  1f1b-w2-h2
  saved peak       1                 +6  bytes            0.098 %  1f1b-w2-h2
  activations      1                 +4  bytes            0.195 %  1f1b-w2-h2
)");
}

TEST(LawDeviations, LookAtEachRoleAndOperation) {
  std::vector<CaseResult> results = {good_training()};
  auto& r = rank(results[0], 0);
  r.weights_bytes += 8;
  r.gradients_bytes -= 8;  // the total is right
  r.traffic[Operation::reduce_scatter].sent_bytes += 4;
  r.traffic[Operation::all_gather].sent_bytes -= 4;
  const std::string text = law_deviations(results, {});
  EXPECT_NE(text.find("at rest      1                 +8"), std::string::npos) << text;
  EXPECT_NE(text.find("sent         1                 +4"), std::string::npos) << text;
}

TEST(LawDeviations, WhereTheLawSaysNothingAnythingIsFarthest) {
  std::vector<CaseResult> results = {good_training(), good_training()};
  rank(results[0], 0).peak.bytes *= 2;
  rank(results[1], 0).peak.bytes = 1;
  rank(results[1], 0).law.peak = 0;
  results[1].spec.id = "no-law";
  EXPECT_NE(law_deviations(results, {}).find("peak         2                 +1  bytes           -  no-law"),
            std::string::npos)
      << law_deviations(results, {});
}

TEST(LawDeviations, OfCasesThatReportedNothing) {
  std::vector<CaseResult> results = {good_training()};
  results[0].launches.clear();
  EXPECT_EQ(law_deviations(results, {}), "");
}
