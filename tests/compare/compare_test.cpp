#include "compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compare/comparison_json.hpp"
#include "compare/comparison_text.hpp"
#include "compare/runs.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace {

const std::vector<double> whole = {100, 100};

RecordedRun run_of(const std::string& id, const std::vector<double>& weights = whole,
                   const std::vector<double>& medians = steady) {
  return recorded_run({recorded_case(id, weights, medians)});
}

const MetricVerdict& metric(const Comparison& comparison, std::size_t index) {
  return comparison.cases.at(0).metrics.at(index);
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

TEST(Compare, ATimeIsASuspectUntilAReRunDecides) {
  const RecordedRun base = run_of("a"), next = run_of("a", whole, times(steady, 1.25));
  Comparison slow = compare({base}, {next});
  EXPECT_EQ(name_of(metric(slow, 1).change, true), "suspect");
  EXPECT_EQ(slow.regressions(), 0u);
  EXPECT_THAT(suspects(slow), ElementsAre("a"));
  EXPECT_THAT(comparison_text(slow, {}),
              AllOf(HasSubstr("  suspect: slower by the first look\n    a: step_median_s 1.02 s -> 1.27 s"),
                    HasSubstr("no suspect is a regression until a re-run finds it again: compare with --confirm")));
  confirm(slow, {base}, {next}, turns_of(drift, times(drift, 1.25)));
  EXPECT_EQ(name_of(metric(slow, 1).change, true), "slower");
  EXPECT_TRUE(metric(slow, 1).regression);
  EXPECT_TRUE(suspects(slow).empty());

  const RecordedRun half = run_of("a", whole, times(steady, 0.5));
  Comparison fast = compare({base}, {half});
  EXPECT_EQ(change_text(metric(fast, 1)),
            "step_median_s 1.02 s -> 510 ms (x 0.50, p 0.004, 5 and 5 launches; finds 16 % or more)");
  confirm(fast, {base}, {half}, turns_of(drift, times(drift, 0.5)));
  EXPECT_EQ(name_of(metric(fast, 1).change, true), "faster");
  EXPECT_EQ(fast.regressions(), 0u);
}

TEST(Compare, OtherTimesAreJudgedWhereTheGateNamesThem) {
  RecordedRun next = run_of("a", whole, times(steady, 1.25));
  next.gates["s"].metrics["update_s"] = {.threshold = 0.5, .launches = {}, .better = Better::smaller};
  const Comparison c = compare({run_of("a")}, {next});
  ASSERT_EQ(c.cases.at(0).metrics.size(), 3u);
  EXPECT_EQ(metric(c, 1).reason, "slower by the first look");
  EXPECT_EQ(metric(c, 2).reason, "within the threshold, but too near to it for the first look");
  const Comparison strict = compare({run_of("a")}, {next}, {.allow = {}, .threshold = 0.1, .launches = {}});
  EXPECT_EQ(metric(strict, 2).reason, "slower by the first look");
}

TEST(Compare, AReRunWithTheBasesBuildClearsANoisyNight) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  Comparison c = compare({run_of("a")}, {slow});
  EXPECT_THAT(suspects(c), ElementsAre("a"));
  confirm(c, {run_of("a")}, {slow}, turns_of(drift, drift));  // run again side by side, both are slow
  EXPECT_EQ(c.regressions(), 0u);
  EXPECT_EQ(metric(c, 1).change, Change::same);

  Comparison real = compare({run_of("a")}, {slow});
  confirm(real, {run_of("a")}, {slow}, turns_of(drift, times(drift, 1.3)));
  EXPECT_EQ(real.regressions(), 1u);
  EXPECT_THAT(change_text(metric(real, 1)), HasSubstr("5 and 5 launches, and 16 and 16 again"));
  EXPECT_TRUE(real.confirmed);
}

TEST(Compare, AReRunGoesOnUntilItDecides) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  Comparison c = compare({run_of("a")}, {slow});
  auto turns = turns_of({1, 1, 1}, {1.3, 1.3, 1.3});
  confirm(c, {run_of("a")}, {slow}, turns);  // three pairs never decide it
  EXPECT_EQ(metric(c, 1).change, Change::suspect);
  EXPECT_THAT(suspects(c), ::testing::ElementsAre("a"));
  for (Turn& t : turns_of(drift, times(drift, 1.3))) turns.push_back(std::move(t));
  confirm(c, {run_of("a")}, {slow}, turns);
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
  confirm(c, {run_of("a")}, {slow}, turns);
  EXPECT_EQ(metric(c, 1).base_again,
            (std::vector<double>{1.1, 1.2, 1.3, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5}));
  EXPECT_EQ(metric(c, 1).change, Change::larger);
}

TEST(Compare, AReRunOnAnotherMachineConfirmsNothing) {
  const RecordedRun slow = run_of("a", whole, times(steady, 1.3));
  RecordedRun elsewhere = slow;
  elsewhere.environment.cpu = "another";
  Comparison c = compare({run_of("a")}, {slow});
  confirm(c, {run_of("a")}, {slow}, {{std::nullopt, elsewhere}});
  EXPECT_EQ(metric(c, 1).change, Change::suspect);
  EXPECT_TRUE(suspects(c).empty());  // more of it would not help
  EXPECT_EQ(metric(c, 1).reason, "the re-run is not comparable: cpu is a processor in the base, but another now");
}

/// With a strategy that came from outside.
RecordedRun with_plugin(RecordedRun run, const std::string& sha1, bool outside = true) {
  run.environment.plugins = {{"strategy", "mine", "1.0", "mine.so", sha1, outside}};
  run.cases.at(0).spec["strategy"] = "mine";
  return run;
}

TEST(Compare, AReRunWithAnotherPluginFromOutsideConfirmsNothing) {
  const RecordedRun base = with_plugin(run_of("a"), "old"),
                    slow = with_plugin(run_of("a", whole, times(steady, 1.3)), "new");
  const auto verdict = [&](const std::string& base_again, const std::string& next_again, bool outside = true) {
    Comparison c = compare({base}, {slow});
    auto turns = turns_of(drift, times(drift, 1.3));
    for (Turn& turn : turns) {
      turn.base = with_plugin(*turn.base, base_again, outside);
      turn.next = with_plugin(turn.next, next_again, outside);
    }
    confirm(c, {base}, {slow}, turns);
    EXPECT_TRUE(suspects(c).empty());
    return metric(c, 1);
  };
  EXPECT_EQ(verdict("old", "new").change, Change::larger);
  EXPECT_EQ(verdict("new", "new").change, Change::suspect);
  EXPECT_EQ(verdict("new", "new").reason,
            "the re-run of the base had another strategy mine: old was measured, new ran again");
  EXPECT_EQ(verdict("old", "newer").reason,
            "the re-run of this build had another strategy mine: new was measured, newer ran again");
  EXPECT_EQ(verdict("built in", "new", false).change, Change::suspect);  // that of the build is another one

  Comparison own = compare({with_plugin(run_of("a"), "old", false)}, {slow});
  auto turns = turns_of(drift, times(drift, 1.3));
  for (Turn& turn : turns) {
    turn.base = with_plugin(*turn.base, "built elsewhere", false);
    turn.next = with_plugin(turn.next, "new");
  }
  confirm(own, {with_plugin(run_of("a"), "old", false)}, {slow}, turns);
  EXPECT_EQ(metric(own, 1).change, Change::larger);  // a build of the same commit may be another file
}

TEST(Compare, ACaseThatCannotBeRunAgainStaysASuspect) {
  Comparison c = compare({run_of("a")}, {run_of("a", whole, times(steady, 1.04))});
  leave_suspect(c, "a", "why");  // of what is the same, nothing is left
  EXPECT_EQ(metric(c, 1).change, Change::same);
  Comparison slow = compare({run_of("a")}, {run_of("a", whole, times(steady, 1.3))});
  leave_suspect(slow, "b", "why");
  EXPECT_THAT(suspects(slow), ElementsAre("a"));
  leave_suspect(slow, "a", "why");
  EXPECT_TRUE(suspects(slow).empty());
  EXPECT_EQ(metric(slow, 1).change, Change::suspect);
  EXPECT_THAT(comparison_text(slow, {}), HasSubstr("  suspect: why\n    a: step_median_s"));
}

TEST(Compare, CasesThatAreTooNoisyAreSaidToBe) {
  const Comparison quiet = compare({run_of("a")}, {run_of("a")});
  EXPECT_EQ(quiet.noisy(), 0u);
  EXPECT_THAT(comparison_text(quiet, {}), Not(HasSubstr("too noisy:")));
  const std::vector<double> wild = {1.0, 1.6, 0.7, 2.5, 0.9};
  const RecordedRun run = run_of("a", whole, wild);
  Comparison c = compare({run}, {run});
  confirm(c, {run}, {run}, turns_of({1, 3, 1.5, 2.5, 0.8, 4, 2, 1.2}, {3, 1, 2.5, 1.5, 4, 0.8, 1.2, 2}));
  EXPECT_EQ(c.noisy(), 1u);
  EXPECT_EQ(c.regressions(), 0u);
  EXPECT_GT(metric(c, 1).detectable.value(), 0.25);
  EXPECT_THAT(comparison_text(c, {}),
              HasSubstr("  too noisy: a slowdown of 25 % would not be found here\n    a: step_median_s: finds "));
  EXPECT_THAT(comparison_summary(c), HasSubstr("1 too noisy; 0 regressions"));
  const auto json = comparison_json(c);
  EXPECT_TRUE(json["cases"][0]["metrics"][1]["too_noisy"]);
  EXPECT_GT(json["cases"][0]["metrics"][1]["detectable_slowdown"], 0.25);
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
      "1 cases in both, 0 of them not comparable, 0 new, 0 gone; verdicts: 0 same, 1 larger, 0 smaller, 0 slower, "
      "0 faster, 1 suspect, 0 ambiguous, 0 not comparable; 0 too noisy; 1 regressions");
}
