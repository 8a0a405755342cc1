#include "compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compare/comparison_text.hpp"
#include "compare/runs.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

const std::vector<double> whole = {100, 100};

RecordedRun run_of(const std::string& id, const std::vector<double>& weights = whole,
                   const std::vector<double>& medians = steady) {
  return recorded_run({recorded_case(id, weights, medians)});
}

const MetricVerdict& metric(const Comparison& comparison, std::size_t index) {
  return comparison.cases.at(0).metrics.at(index);
}

}  // namespace

TEST(Compare, TheSameIsTheSame) {
  const Comparison c = compare({run_of("a")}, {run_of("a")});
  ASSERT_EQ(c.cases.at(0).metrics.size(), 2u);
  EXPECT_EQ(metric(c, 0).metric, "weights_bytes");
  EXPECT_EQ(metric(c, 0).change, Change::same);
  EXPECT_EQ(metric(c, 1).metric, "step_median_s");
  EXPECT_EQ(metric(c, 1).change, Change::same);
  EXPECT_EQ(c.regressions(), 0u);
  EXPECT_TRUE(c.compared());
}

TEST(Compare, OneByteOnOneRankIsAFindingWithItsLaw) {
  const Comparison c = compare({run_of("a")}, {run_of("a", {100, 101})});
  const MetricVerdict& m = metric(c, 0);
  EXPECT_EQ(m.change, Change::larger);
  EXPECT_TRUE(m.regression);
  EXPECT_EQ(m.rank, 1);
  EXPECT_EQ(m.law, 100);
  EXPECT_EQ(change_text(m), "weights_bytes 100 -> 101 (+1, rank 1; law 100)");
  EXPECT_EQ(c.regressions(), 1u);

  const Comparison less = compare({run_of("a")}, {run_of("a", {99, 100})});
  EXPECT_EQ(metric(less, 0).change, Change::smaller);
  EXPECT_EQ(metric(less, 0).rank, 0);
  EXPECT_EQ(less.regressions(), 0u);

  const Comparison both = compare({run_of("a")}, {run_of("a", {50, 101})});  // the worse one is told
  EXPECT_EQ(metric(both, 0).change, Change::larger);
  EXPECT_EQ(metric(both, 0).rank, 1);
}

TEST(Compare, TheGateSaysWhichWayIsBetter) {
  RecordedRun next = run_of("a", {99, 99});
  next.gates["s"].metrics["weights_bytes"] = {.threshold = {}, .launches = {}, .better = Better::neither};
  EXPECT_TRUE(metric(compare({run_of("a")}, {next}), 0).regression);
  next.gates["s"].metrics["weights_bytes"].better = Better::larger;
  EXPECT_TRUE(metric(compare({run_of("a")}, {next}), 0).regression);
  EXPECT_FALSE(metric(compare({run_of("a", {98, 98})}, {next}), 0).regression);
}

TEST(Compare, SlowerIsARegressionAndFasterIsNot) {
  const Comparison slow = compare({run_of("a")}, {run_of("a", whole, times(steady, 1.25))});
  EXPECT_EQ(name_of(metric(slow, 1).change, true), "slower");
  EXPECT_TRUE(metric(slow, 1).regression);
  EXPECT_THAT(suspects(slow), ElementsAre("a"));
  const Comparison fast = compare({run_of("a")}, {run_of("a", whole, times(steady, 0.5))});
  EXPECT_EQ(name_of(metric(fast, 1).change, true), "faster");
  EXPECT_EQ(fast.regressions(), 0u);
  EXPECT_EQ(change_text(metric(fast, 1)), "step_median_s 1.02 s -> 510 ms (x 0.50, p 0.004, 5 and 5 launches)");
}

TEST(Compare, OtherTimesAreJudgedWhereTheGateNamesThem) {
  RecordedRun next = run_of("a", whole, times(steady, 1.25));
  next.gates["s"].metrics["update_s"] = {.threshold = 0.5, .launches = {}, .better = Better::smaller};
  const Comparison c = compare({run_of("a")}, {next});
  ASSERT_EQ(c.cases.at(0).metrics.size(), 3u);
  EXPECT_EQ(metric(c, 1).change, Change::larger);
  EXPECT_EQ(metric(c, 2).change, Change::same);  // 25 % is below its threshold
  const Comparison strict = compare({run_of("a")}, {next}, {.allow = {}, .threshold = 0.1, .launches = {}});
  EXPECT_EQ(metric(strict, 2).change, Change::larger);
}

/// A turn per launch of the case "a"; without a base where that is empty.
std::vector<Turn> turns_of(const std::vector<double>& base, const std::vector<double>& next) {
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < next.size(); ++i) {
    Turn& turn = turns.emplace_back(Turn{std::nullopt, run_of("a", whole, {next[i]})});
    if (!base.empty()) turn.base = run_of("a", whole, {base.at(i)});
  }
  return turns;
}

/// Launches of a machine that gets slower all the while.
const std::vector<double> drift = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5};

TEST(Compare, AReRunWithTheBasesBuildClearsANoisyNight) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  Comparison c = compare({run_of("a")}, {slow});
  EXPECT_EQ(c.regressions(), 1u);
  confirm(c, {slow}, turns_of(drift, drift));  // run again side by side, both are slow
  EXPECT_EQ(c.regressions(), 0u);
  EXPECT_EQ(metric(c, 1).change, Change::same);

  Comparison real = compare({run_of("a")}, {slow});
  confirm(real, {slow}, turns_of(drift, times(drift, 1.3)));
  EXPECT_EQ(real.regressions(), 1u);
  EXPECT_THAT(change_text(metric(real, 1)), HasSubstr("5 and 5 launches, and 16 and 16 again"));
  EXPECT_TRUE(real.confirmed);
}

TEST(Compare, AReRunGoesOnUntilItDecides) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  Comparison c = compare({run_of("a")}, {slow});
  auto turns = turns_of({1, 1, 1}, {1.3, 1.3, 1.3});
  confirm(c, {slow}, turns);  // three pairs never decide it
  EXPECT_EQ(metric(c, 1).change, Change::ambiguous);
  EXPECT_THAT(suspects(c), ::testing::ElementsAre("a"));
  for (Turn& t : turns_of(drift, times(drift, 1.3))) turns.push_back(std::move(t));
  confirm(c, {slow}, turns);
  EXPECT_EQ(metric(c, 1).change, Change::larger);
  EXPECT_EQ(metric(c, 1).next_again.size(), 19u);
  EXPECT_TRUE(suspects(c).empty());
}

TEST(Compare, ATurnCountsWhereBothBuildsCouldRunTheCase) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  Comparison c = compare({run_of("a")}, {slow});
  auto turns = turns_of(drift, times(drift, 1.3));
  turns[0].base->cases[0].status = Status::crashed;
  turns[4].next.cases.clear();
  confirm(c, {slow}, turns);
  EXPECT_EQ(metric(c, 1).base_again,
            (std::vector<double>{1.1, 1.2, 1.3, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5}));
  EXPECT_EQ(metric(c, 1).change, Change::larger);
}

TEST(Compare, AReRunOnAnotherMachineConfirmsNothing) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  RecordedRun elsewhere = slow;
  elsewhere.environment.cpu = "another";
  Comparison c = compare({run_of("a")}, {slow});
  confirm(c, {slow}, {{std::nullopt, elsewhere}});
  EXPECT_EQ(c.regressions(), 0u);
  EXPECT_EQ(metric(c, 1).reason, "the re-run is not comparable: cpu is a processor in the base, but another now");
}

TEST(Compare, AnotherMachineIsNotComparableAndSaysWhy) {
  RecordedRun next = run_of("a", {101, 101});
  next.environment.cpu = "another";
  next.environment.variables = {{"OMP_NUM_THREADS", "2"}};
  const Comparison c = compare({run_of("a")}, {next});
  EXPECT_EQ(metric(c, 0).change, Change::not_comparable);
  EXPECT_EQ(metric(c, 1).change, Change::not_comparable);
  EXPECT_EQ(c.cases.at(0).reason,
            "cpu is a processor in the base, but another now; OMP_NUM_THREADS is nothing in the base, but 2 now");
  EXPECT_FALSE(c.compared());

  const Comparison allowed =
      compare({run_of("a")}, {next}, {.allow = {"cpu", "OMP_NUM_THREADS"}, .threshold = {}, .launches = {}});
  EXPECT_EQ(allowed.regressions(), 1u);
  EXPECT_EQ(allowed.cases.at(0).allowed.size(), 2u);
  EXPECT_THAT(comparison_text(allowed, {}), HasSubstr("allowed: cpu is a processor in the base, but another now"));
}

TEST(Compare, WhatTheSuiteSaysOfTheCaseHasToBeTheSame) {
  RecordedRun next = run_of("a");
  next.cases[0].spec["batch"] = "64";
  next.cases[0].spec["launches"] = "7";  // how often it is measured does not matter
  next.cases[0].spec["invented"] = "1";  // nor what the base did not know of yet
  next.cases[0].settings["wait_mode"] = "sync, poll";
  EXPECT_EQ(compare({run_of("a")}, {next}).cases.at(0).reason,
            "batch is 32 in the base, but 64 now; wait_mode is sync, block in the base, but sync, poll now");
}

TEST(Compare, CasesAndMetricsThatAreNewOrGoneAreListed) {
  RecordedRun base = recorded_run({recorded_case("a", whole, steady), recorded_case("old", whole, steady)});
  RecordedRun next = recorded_run({recorded_case("new", whole, steady), recorded_case("a", whole, steady)});
  const auto names = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"peak_bytes"});
  for (RecordedRank& r : next.cases[1].launches[0].ranks) r.quantities = {names, {7}};
  base.cases[0].invariants = {{"own_rows", Verdict::passed, ""}, {"rest_equals_law", Verdict::passed, ""}};
  next.cases[1].invariants = {{"own_rows", Verdict::passed, ""}, {"rest_equals_law", Verdict::not_run, "why"}};
  const Comparison c = compare({base}, {next});
  EXPECT_THAT(c.cases_new, ElementsAre("new"));
  EXPECT_THAT(c.cases_gone, ElementsAre("old"));
  EXPECT_THAT(c.cases.at(0).metrics_new, ElementsAre("peak_bytes"));
  EXPECT_THAT(c.cases.at(0).metrics_gone, ElementsAre("weights_bytes"));
  EXPECT_THAT(c.cases.at(0).checks_gone, ElementsAre("rest_equals_law"));
  const std::string text = comparison_text(c, {});
  for (const char* line : {"new case: new", "case gone: old", "new metric: peak_bytes of a",
                           "metric gone: weights_bytes of a", "check not run any more: rest_equals_law of a"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(Compare, AFailedBaseIsNoBaselineAndALostCaseNoResult) {
  RecordedRun base = run_of("a"), next = run_of("a");
  base.cases[0].status = Status::failed;
  EXPECT_EQ(compare({base}, {next}).cases.at(0).reason, "the base's case is no baseline: it is failed");
  next.cases[0].status = Status::crashed;
  next.cases[0].launches.clear();
  EXPECT_EQ(compare({run_of("a")}, {next}).cases.at(0).reason, "there is nothing of it now: it is crashed");
}

TEST(Compare, LaunchesOfSeveralResultsArePooled) {
  const std::vector<double> two = {1.0, 1.01}, three = {1.02, 1.03, 1.04};
  const Comparison c = compare({run_of("a", whole, two), run_of("a", whole, three)}, {run_of("a")});
  EXPECT_EQ(metric(c, 1).change, Change::same);
  EXPECT_EQ(metric(c, 1).base_launches.size(), 5u);
  const Comparison one = compare({run_of("a", whole, two)}, {run_of("a")});
  EXPECT_EQ(metric(one, 1).change, Change::ambiguous);
  // A wrong byte in any of the newer results is found.
  const Comparison wrong = compare({run_of("a")}, {run_of("a"), run_of("a", {101, 100}), run_of("a")});
  EXPECT_EQ(wrong.regressions(), 1u);
}

TEST(Compare, NothingInCommonComparesNothing) {
  const Comparison c = compare({run_of("a")}, {run_of("b")});
  EXPECT_FALSE(c.compared());
  EXPECT_THAT(c.cases, IsEmpty());
  EXPECT_THROW(compare({}, {run_of("b")}), Error);
}

TEST(Compare, TheSummaryCounts) {
  EXPECT_EQ(
      comparison_summary(compare({run_of("a")}, {run_of("a", {100, 101}, times(steady, 1.25))})),
      "1 cases in both, 0 of them not comparable, 0 new, 0 gone; verdicts: 0 same, 1 larger, 0 smaller, 1 slower, "
      "0 faster, 0 ambiguous, 0 not comparable; 2 regressions");
}
