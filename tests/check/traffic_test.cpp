#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(SentEqualsLaw, ComparesCallsAndBytesOfEveryOperation) {
  CaseResult result = good_training();
  expect_passed(result, "sent_equals_law");
  auto& traffic = rank_one(result).traffic;
  traffic[Operation::all_gather].calls = 2;
  traffic[Operation::reduce_scatter].sent_bytes = 2105344;
  traffic[Operation::barrier].calls = 1;
  expect_failed(result, "sent_equals_law",
                "rank 1: barrier: 1 calls, but the law says 0 calls (1 more); "
                "reduce_scatter: 2105344 bytes sent, but the law says 1052672 bytes sent (1052672 more); "
                "all_gather: 2 calls, but the law says 1 calls (1 more)");
}

TEST(SentEqualsLaw, ComparesAPipelineWithItsPlan) {
  CaseResult result = good_pipeline();
  expect_passed(result, "sent_equals_law");
  rank_one(result).traffic[Operation::send].sent_bytes = 512;
  expect_failed(result, "sent_equals_law",
                "rank 1: send: 512 bytes sent, but the plan says 1024 bytes sent (512 less)");
}

TEST(SentEqualsLaw, IsNotRunWithoutAPrediction) {
  CaseResult result = good_pipeline();
  result.schedule.traffic.pop_back();
  expect_not_run(result, "sent_equals_law", "rank 1: the schedule predicts the traffic of 1 ranks only");
}

TEST(WireEqualsSent, FailsWhereTheBackendSendsMore) {
  CaseResult result = good_training();
  expect_passed(result, "wire_equals_sent");
  expect_passed(good_pipeline(), "wire_equals_sent");
  rank_one(result).bytes_on_wire = 4210688;
  expect_failed(
      result, "wire_equals_sent",
      "rank 1: the backend sent 4210688 bytes, but the algorithms that it names send 2105344 bytes (2105344 more)");
}

TEST(WireEqualsSent, IsNotRunWhereOneRanksBackendDoesNotTell) {
  CaseResult result = good_training();
  rank_one(result).bytes_on_wire.reset();
  expect_not_run(result, "wire_equals_sent", "rank 1: the backend 'gloo' does not tell what it sends");
}

TEST(WireEqualsSent, IsOfTheAlgorithmsThatTheBackendNames) {
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    rank_one(result).bytes_on_wire = rank_one(result).wire_claim.sent_bytes = 12345;
    expect_passed(result, "wire_equals_sent");
    rank_one(result).wire_claim.without_law = "all_reduce of 8 float32 (sum) by 'own'";
    expect_not_run(result, "wire_equals_sent", "rank 1: no law is known for all_reduce of 8 float32 (sum) by 'own'");
  }
}

TEST(SentEqualsReceived, FailsWhereBytesAreLost) {
  for (CaseResult result : {good_training(), good_pipeline()}) {
    expect_passed(result, "sent_equals_received");
    rank_one(result).traffic[Operation::recv].received_bytes += 8;
    const auto sent = result.ranks()[0].traffic.sent_bytes() + result.ranks()[1].traffic.sent_bytes();
    expect_failed(result, "sent_equals_received",
                  "all ranks together sent " + std::to_string(sent) + " bytes, but they received " +
                      std::to_string(sent + 8) + " bytes (8 less)");
  }
}
