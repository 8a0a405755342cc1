#include "report/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/runs.hpp"

namespace shardbench {
namespace {

TEST(Summary, AllCasesRightIsGreen) {
  const Summary s = summary_of(report_of({recorded_case("a"), recorded_case("b")}));
  EXPECT_TRUE(s.green);
  EXPECT_EQ(s.headline, "Green: all 2 cases are right");
  EXPECT_EQ(s.cases.at("ok"), 2u);
  EXPECT_EQ(s.invariants.at("passed"), 2u);
  EXPECT_EQ(s.invariants.at("not_run"), 2u);
}

TEST(Summary, OneCaseIsSaidAsOne) {
  EXPECT_EQ(summary_of(report_of({recorded_case("a")})).headline, "Green: the case is right");
}

TEST(Summary, ACaseThatIsNotOkIsRed) {
  const Summary s = summary_of(report_of(
      {recorded_case("a"), recorded_case("b", Status::failed, "x"), recorded_case("c", Status::timeout, "y")}));
  EXPECT_FALSE(s.green);
  EXPECT_EQ(s.headline, "Red: 2 of 3 cases are not right: 1 failed, 1 timeout");
}

TEST(Summary, ARunWithoutCasesIsRed) { EXPECT_EQ(summary_of(report_of({})).headline, "Red: no case ran"); }

TEST(Summary, ARunThatWasCutShortIsRed) {
  ReportInput input = report_of({recorded_case("a")});
  input.run.finished.clear();
  EXPECT_EQ(summary_of(input).headline, "Red: the run was cut short");
}

TEST(Summary, ARunWithSomethingInjectedIsNeverGreen) {
  ReportInput input = report_of({recorded_case("a")});
  input.run.injected = "bytes=1";
  EXPECT_FALSE(summary_of(input).green);
  EXPECT_EQ(summary_of(input).headline, "Red: bytes=1 was injected on purpose, so no number is a measurement");
}

TEST(Summary, ARegressionIsRedAndAnotherChangeIsNot) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison =
      ReportedComparison{"yesterday", "", {{"same", 3}}, {{"a", "step_median_s", "faster", false, 2.0, 1.0, ""}}};
  EXPECT_TRUE(summary_of(input).green);
  input.comparison->changes.push_back({"a", "peak_bytes", "larger", true, 1.0, 2.0, ""});
  EXPECT_EQ(summary_of(input).headline, "Red: 1 regression");
  EXPECT_EQ(summary_of(input).regressions, 1u);
}

TEST(Summary, SuspectsThatAreLeftAreSaidWithTheColour) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison = ReportedComparison{"yesterday", "", {{"same", 3}, {"suspect", 2}}, {}};
  EXPECT_TRUE(summary_of(input).green);
  EXPECT_EQ(summary_of(input).headline, "Green: the case is right; 2 suspects that no re-run has decided");
}

TEST(Summary, NoisyCasesAreSaidWithTheColour) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison = ReportedComparison{"yesterday", "", {{"same", 3}}, {}};
  input.comparison->noisy = {{"a", "step_median_s", 0.41}};
  EXPECT_TRUE(summary_of(input).green);
  EXPECT_EQ(summary_of(input).headline, "Green: the case is right; 1 case is too noisy to show a slowdown of 25 %");
  input.comparison->noisy = {{"a", "step_median_s", 0.41}, {"a", "update_s", {}}, {"b", "update_s", {}}};
  EXPECT_THAT(summary_of(input).headline, testing::EndsWith("; 2 cases are too noisy to show a slowdown of 25 %"));
}

TEST(Summary, AComparisonThatComparedNothingIsRed) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison = ReportedComparison{"yesterday", "", {{"not comparable", 1}}, {}, false};
  EXPECT_EQ(summary_of(input).headline, "Red: nothing could be compared with the baseline");
}

}  // namespace
}  // namespace shardbench
