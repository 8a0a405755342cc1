#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

BufferCheck& buffers(CaseResult& result, std::size_t rank, std::size_t launch = 0) {
  return result.launches[launch].ranks[rank].buffers;
}

BufferCheck& timed(CaseResult& result, std::size_t rank) { return result.launches[0].ranks[rank].timed_buffers; }

/// An all-reduce of values whose sums are rounded.
CaseResult rounding() {
  CaseResult result = good_collective();
  result.spec.values = Values::rounding;
  for (std::size_t rank : {0u, 1u}) buffers(result, rank).sum_digests = {17, 18};
  return result;
}

/// Two barriers; rank 0 comes late to the first, rank 1 to the second.
CaseResult barrier() {
  CaseResult result = good_collective(1, Collective::barrier);
  for (RankReport& r : result.launches[0].ranks) r.buffers.checked_elements = r.timed_buffers.checked_elements = 0;
  buffers(result, 0).barrier_ns = timed(result, 0).barrier_ns = {{2000, 2010}, {2020, 4015}};
  buffers(result, 1).barrier_ns = timed(result, 1).barrier_ns = {{100, 2005}, {4000, 4020}};
  return result;
}

}  // namespace

TEST(ElementsRight, CountsOverAllRanksAndShowsTheFirst) {
  CaseResult result = good_collective(2);
  expect_passed(result, "elements_right");
  buffers(result, 0, 1).wrong_elements = 2;
  buffers(result, 0, 1).first_wrong = "array[17] of call 2: got 3, wanted 5";
  buffers(result, 1, 1).wrong_elements = 1;
  expect_failed(result, "elements_right",
                "launch 2: 3 of 4096 elements are wrong over all ranks, first on rank 0: array[17] of call 2: got 3, "
                "wanted 5");
}

TEST(ElementsRight, IsNotRunWhereNothingWasCompared) {
  CaseResult result = good_collective();
  for (std::size_t rank : {0u, 1u}) buffers(result, rank).checked_elements = 0;
  expect_not_run(result, "elements_right", "the arrays are empty");
}

TEST(CollectiveInvariants, AreThoseOfTheOperation) {
  const auto names = [](const CaseResult& result) {
    std::vector<std::string> all;
    for (const auto& outcome : check_case(result, {})) all.push_back(outcome.name);
    return all;
  };
  using ::testing::Contains;
  using ::testing::IsSupersetOf;
  using ::testing::Not;
  EXPECT_THAT(names(good_collective(1, Collective::send)),
              IsSupersetOf({"elements_right", "inputs_unchanged", "guard_bands_intact", "sent_equals_law"}));
  EXPECT_THAT(names(good_collective()), Not(Contains("inputs_unchanged")));
  EXPECT_THAT(names(good_collective()), Not(Contains("barrier_waits")));
  EXPECT_THAT(names(barrier()), Not(Contains("guard_bands_intact")));
  EXPECT_THAT(names(barrier()), Contains("barrier_waits"));
  EXPECT_THAT(names(good_collective()), Not(Contains("same_sums")));
  EXPECT_THAT(names(rounding()), Contains("same_sums"));
  EXPECT_THAT(names(good_collective(1, Collective::send)), Not(Contains("messages_matched")));
  EXPECT_THAT(names(good_collective(1, Collective::send_tags)),
              IsSupersetOf({"messages_matched", "inputs_unchanged", "timed_calls_right"}));
  CaseResult in_place = good_collective(1, Collective::all_gather);
  EXPECT_THAT(names(in_place), Contains("inputs_unchanged"));
  in_place.spec.in_place = true;
  EXPECT_THAT(names(in_place), Not(Contains("inputs_unchanged")));
}

TEST(InputsUnchanged, FailsWhereAnElementIsOverwritten) {
  CaseResult result = good_collective(1, Collective::all_gather);
  for (std::size_t rank : {0u, 1u}) buffers(result, rank).input_elements = 1024;
  expect_passed(result, "inputs_unchanged");
  buffers(result, 1).changed_elements = 1;
  buffers(result, 1).first_changed = "input[0] of call 1: got 3, wanted 5";
  expect_failed(result, "inputs_unchanged",
                "1 of 2048 elements of the inputs are changed over all ranks, first on rank 1: input[0] of call 1: got "
                "3, wanted 5");
}

TEST(GuardBandsIntact, FailsWhereBytesOutsideAreWritten) {
  CaseResult result = good_collective();
  expect_passed(result, "guard_bands_intact");
  buffers(result, 1).guard_bytes_written = 3;
  buffers(result, 1).first_guard = "3 bytes after array in call 1";
  expect_failed(result, "guard_bands_intact",
                "rank 1: 3 bytes are written outside of the arrays, first: 3 bytes after array in call 1");
}

TEST(BarrierWaits, FailsWhereARankLeavesTooEarly) {
  CaseResult result = barrier();
  expect_passed(result, "barrier_waits");
  buffers(result, 0).barrier_ns[1][1] = 2500;
  expect_failed(result, "barrier_waits", "rank 0 left barrier 2 1500 ns before rank 1 entered it");
  buffers(result, 0).barrier_ns.pop_back();
  expect_failed(result, "barrier_waits", "rank 0: 1 checked barriers, but there are 2 checked barriers (1 less)");
  result.launches[0].ranks.pop_back();
  result.spec.world = 1;
  expect_not_run(result, "barrier_waits", "there is one rank");
}

TEST(MessagesMatched, FailsWhereAReceiveGotAnotherMessage) {
  CaseResult result = good_collective(1, Collective::send_tags);
  expect_passed(result, "messages_matched");
  buffers(result, 1).mismatched_messages = 2;
  buffers(result, 1).first_mismatched = "call 1 received message 1 (tag 2) of rank 0 in place of 0 (tag 1) of rank 0";
  expect_failed(
      result, "messages_matched",
      "rank 1: 2 receives got another message than theirs, first: call 1 received message 1 (tag 2) of rank 0 "
      "in place of 0 (tag 1) of rank 0");
}

TEST(SameSums, FailsWhereRanksHaveOtherBits) {
  CaseResult result = rounding();
  expect_passed(result, "same_sums");
  buffers(result, 1).sum_digests[1] = 19;
  expect_failed(result, "same_sums",
                "call 2: rank 1 has other bits than rank 0: digest 0000000000000013, not 0000000000000012");
  result.spec.operation = Collective::reduce_scatter;  // each rank has another part
  expect_passed(result, "same_sums");
  buffers(result, 1).sum_digests.clear();
  expect_failed(result, "same_sums", "rank 1 has no digest of a sum");
}

TEST(SameSums, FailsWhereARepetitionHasOtherBits) {
  CaseResult result = rounding();
  timed(result, 1).changed_sums = 1;
  timed(result, 1).first_changed_sum = "call 3 has other bits than call 1 of the same values";
  expect_failed(result, "same_sums", "rank 1: call 3 has other bits than call 1 of the same values");
}

TEST(TimedCallsRight, FailsForWhatTheCheckedCallsFailFor) {
  const CaseResult good = good_collective();
  expect_passed(good, "timed_calls_right");
  CaseResult result = good;
  timed(result, 1).wrong_elements = 7;
  timed(result, 1).first_wrong = "array[0] of call 3: got 3, wanted 5";
  expect_failed(result, "timed_calls_right",
                "7 of 4096 elements are wrong over all ranks, first on rank 1: array[0] of call 3: got 3, wanted 5");
  result = good;
  timed(result, 0).guard_bytes_written = 1;
  timed(result, 0).first_guard = "1 bytes after array in call 9";
  expect_failed(result, "timed_calls_right",
                "1 bytes are written outside of the arrays, first: 1 bytes after array in call 9");
  result = good_collective(1, Collective::send_order);
  timed(result, 1).mismatched_messages = 1;
  timed(result, 1).first_mismatched = "call 3 received message 1";
  expect_failed(result, "timed_calls_right", "rank 1: call 3 received message 1");
  result = good_collective(1, Collective::all_gather);
  for (std::size_t rank : {0u, 1u}) buffers(result, rank).input_elements = timed(result, rank).input_elements = 1024;
  expect_passed(result, "timed_calls_right");
  timed(result, 0).changed_elements = 1;
  timed(result, 0).first_changed = "input[0] of call 9";
  expect_failed(result, "timed_calls_right",
                "1 of 2048 elements of the inputs are changed over all ranks, first on rank 0: input[0] of call 9");
}

TEST(TimedCallsRight, FailsForABarrierThatNoLongerWaits) {
  CaseResult result = barrier();
  expect_passed(result, "timed_calls_right");
  timed(result, 0).barrier_ns[1][1] = 2500;
  expect_failed(result, "timed_calls_right", "rank 0 left barrier 2 1500 ns before rank 1 entered it");
}

TEST(SentEqualsLaw, ComparesACollectiveWithItsLaw) {
  CaseResult result = good_collective();
  expect_passed(result, "sent_equals_law");
  result.launches[0].ranks[1].traffic[Operation::all_reduce].sent_bytes = 8192;
  expect_failed(result, "sent_equals_law",
                "rank 1: all_reduce: 8192 bytes sent, but the law says 4096 bytes sent (4096 more)");
}
