#include "check/check.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"
#include "result/quantities.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

/// How many invariants are about a program.
std::size_t about(Programs program) {
  const auto bit = static_cast<unsigned>(program);
  return static_cast<std::size_t>(std::ranges::count_if(
      invariants(), [&](const InvariantInfo& i) { return (static_cast<unsigned>(i.programs) & bit) != 0; }));
}

}  // namespace

TEST(CheckCase, EveryInvariantOfAGoodTrainingCasePasses) {
  CaseResult result = good_training(2, 2);
  Suite suite;
  suite.expectations = {{.case_id = result.spec.id,
                         .rank = std::nullopt,
                         .quantity = "weights_bytes",
                         .value = 1052672,
                         .source = "notebook",
                         .place = {}}};
  const CaseResult other = result;
  const CaseResult* const on_other_backends[] = {&other};
  for (const auto& outcome : check_case(result, suite, on_other_backends))
    EXPECT_EQ(outcome.verdict, Verdict::passed) << outcome.name << ": " << outcome.message;
  judge(result, suite);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.invariants.size(), about(Programs::training));
}

TEST(CheckCase, EveryInvariantOfAGoodPipelineCasePasses) {
  CaseResult result = good_pipeline(2);
  Suite suite;
  suite.expectations = {
      {.case_id = result.spec.id, .rank = 1, .quantity = "saved_peak", .value = 5, .source = "notebook", .place = {}}};
  const CaseResult other = result;
  const CaseResult* const on_other_backends[] = {&other};
  for (const auto& outcome : check_case(result, suite, on_other_backends))
    if (outcome.name != "timed_optimizer_steps") {  // the case has no optimizer
      EXPECT_EQ(outcome.verdict, Verdict::passed) << outcome.name << ": " << outcome.message;
    }
  judge(result, suite);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.invariants.size(), about(Programs::pipeline));
}

TEST(CheckCase, NothingOfAGoodCollectiveFails) {
  CaseResult result = good_collective(2);
  judge(result, {});
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.invariants.size(), 15u);
  EXPECT_EQ(count_of(result, Verdict::passed), 14u);
}

TEST(CheckCase, ChecksEveryInvariantOfTheProgramInTheOrderOfTheTable) {
  for (const CaseResult& result : {good_training(), good_pipeline(), good_collective()}) {
    const auto outcomes = check_case(result, {});
    std::vector<std::string> expected, names;
    for (const auto& info : invariants())
      if (contains(info.programs, result.spec.program) && info.name != "inputs_unchanged" &&
          info.name != "barrier_waits" && info.name != "messages_matched" &&
          info.name != "same_sums")  // of other operations
        expected.emplace_back(info.name);
    for (const auto& outcome : outcomes) names.push_back(outcome.name);
    EXPECT_EQ(names, expected);
  }
}

TEST(CheckCase, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const auto& info : invariants()) EXPECT_TRUE(names.insert(info.name).second) << info.name;
}

TEST(CheckCase, WhatTimesNeedIsInTheTable) {
  std::size_t needed = 0;
  for (const auto& info : invariants()) needed += is_needed_for_times(info.name) ? 1 : 0;
  EXPECT_EQ(needed, 27u);
  EXPECT_TRUE(is_needed_for_times("same_parameters"));
  EXPECT_FALSE(is_needed_for_times("peak_within_law"));
}

TEST(CheckCase, TheSamplesOfALaunchThatFailedDoNotCount) {
  CaseResult result = good_training(2, 3);
  result.launches[1].ranks[1].parameters_hash += 1;
  result.launches[2].ranks[0].peak.bytes += 1;  // of the law, not of the work
  judge(result, {});
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_EQ(result.launches[0].rejected_by, "");
  EXPECT_EQ(result.launches[1].rejected_by, "same_parameters");
  EXPECT_EQ(result.launches[2].rejected_by, "");
}

TEST(CheckCase, NothingIsRunOnACaseThatDidNotEnd) {
  const std::pair<Status, const char*> cases[] = {{Status::crashed, "the case crashed"},
                                                  {Status::timeout, "the case ran out of time"},
                                                  {Status::skipped, "the case was skipped"}};
  for (const auto& [status, reason] : cases) {
    CaseResult result = good_training();
    result.status = status;
    result.launches.clear();
    const auto outcomes = check_case(result, {});
    EXPECT_EQ(outcomes.size(), about(Programs::training));
    for (const auto& outcome : outcomes) {
      EXPECT_EQ(outcome.verdict, Verdict::not_run) << outcome.name;
      EXPECT_EQ(outcome.message, reason) << outcome.name;
    }
    judge(result, {});
    EXPECT_EQ(result.status, status);
  }
}

TEST(CheckCase, ACrashedCaseWithSomeReportsIsNotRun) {
  CaseResult result = good_training(2, 2);
  result.launches[1].ranks.pop_back();
  result.status = Status::crashed;
  for (const auto& outcome : check_case(result, {})) EXPECT_EQ(outcome.verdict, Verdict::not_run) << outcome.name;
}

TEST(CheckCase, AMissingReportIsAnError) {
  CaseResult result = good_training(2, 2);
  result.launches[1].ranks.pop_back();
  try {
    check_case(result, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "launch 2 has the reports of 1 ranks, but world is 2");
    EXPECT_EQ(error.where(), "zero2-w2");
  }
  result.launches.clear();
  EXPECT_THROW(check_case(result, {}), Error);
}

TEST(CheckCase, AFailedInvariantMakesTheCaseFailed) {
  CaseResult result = good_training();
  result.launches[0].ranks[1].weights_bytes -= 4;
  judge(result, {});
  EXPECT_EQ(result.status, Status::failed);
}

TEST(CheckCase, ListsTheFirstThreeRanksAndNamesTheLaunch) {
  CaseResult result = good_training(5, 2);
  for (auto& r : result.launches[1].ranks) r.saved.alive_after = 2;
  expect_failed(result, "saved_released",
                "launch 2, rank 0: 2 saved tensors are alive after the step, but 0 should be; "
                "launch 2, rank 1: 2 saved tensors are alive after the step, but 0 should be; "
                "launch 2, rank 2: 2 saved tensors are alive after the step, but 0 should be; and 2 more");
}
