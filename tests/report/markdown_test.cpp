#include "report/markdown.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/runs.hpp"

namespace shardbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Markdown, BeginsWithTheHeadline) {
  const std::string text = report_markdown(report_of({recorded_case("a")}));
  EXPECT_THAT(text, testing::StartsWith("### \u2705 nightly: Green: the case is right\n"));
  EXPECT_THAT(text, HasSubstr("commit 1acb0b9, Xeon, 2 cores. Invariants: 1 hold, 0 fail, 1 not run."));
  EXPECT_THAT(text, HasSubstr("| case | status | total\\_bytes | step\\_median\\_s |\n"));
  EXPECT_THAT(text, HasSubstr("| a | ok | 8,421,440 | 2.88 ms |\n"));
}

TEST(Markdown, NamesWhatIsRed) {
  const std::string text =
      report_markdown(report_of({recorded_case("a"), recorded_case("b", Status::crashed, "rank 1")}));
  EXPECT_THAT(text, testing::StartsWith("### \u274c"));
  EXPECT_THAT(text, HasSubstr("| crashed | b | rank 1 |\n"));
}

TEST(Markdown, SaysWhatWasInjected) {
  ReportInput input = report_of({recorded_case("a")});
  input.run.injected = "bytes=1";
  const std::string text = report_markdown(input);
  EXPECT_THAT(text, testing::StartsWith("### \u274c nightly: Red: bytes=1 was injected on purpose"));
  EXPECT_THAT(text, HasSubstr("<summary>All cases [INJECTED bytes=1]</summary>"));
}

TEST(Markdown, RegressionsComeFirst) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison = ReportedComparison{"Tuesday",
                                        "",
                                        {{"same", 7}, {"larger", 1}, {"faster", 1}},
                                        {{"a", "step_median_s", "faster", false, 0.003, 0.002, "", 0.71},
                                         {"a", "total_bytes", "larger", true, 8421440.0, 8421441.0, "law 8421440"}}};
  const std::string text = report_markdown(input);
  EXPECT_THAT(text, HasSubstr("Against Tuesday: 1 faster, 1 larger, 7 same.\n"));
  EXPECT_LT(text.find("| **larger** | a | total\\_bytes | law 8421440 | 8,421,440 | 8,421,441 |"),
            text.find("| faster | a | step\\_median\\_s |  | 3 ms | 2 ms | \u00d70.71 |"));
}

TEST(Markdown, NoisyCasesAndABusyMachineAreSaid) {
  ReportInput input = report_of({recorded_case("a")});
  input.comparison = ReportedComparison{"Tuesday", "", {{"same", 7}}, {}};
  input.run.load.emplace();
  EXPECT_THAT(report_markdown(input), AllOf(Not(HasSubstr("busy")), Not(HasSubstr("noisy"))));
  input.comparison->noisy = {{"a", "step_median_s", 0.41}, {"b", "step_median_s", {}}};
  input.run.load->others_share = 0.5;
  const std::string text = report_markdown(input);
  EXPECT_THAT(text,
              HasSubstr("2 cases are too noisy to show a slowdown of 25 %:\n\n| case | metric | smallest slowdown "
                        "found |\n| --- | --- | ---: |\n| a | step\\_median\\_s | 41 % |\n| b | "
                        "step\\_median\\_s | none |\n"));
  EXPECT_THAT(text, HasSubstr("**the machine was busy: other processes took 50 % of its CPU time (5 % or more "
                              "count).** Its times tell less.\n"));
}

TEST(Markdown, HostileTextIsShownAsItIs) {
  EXPECT_EQ(markdown_escaped("a|b\n<img src=x> @you `c` [l](u) **b** #1"),
            "a&#124;b &lt;img src=x&gt; &#64;you \\`c\\` \\[l\\](u) \\*\\*b\\*\\* \\#1");
  const std::string text =
      report_markdown(report_of({recorded_case("</details><script>", Status::failed, "a\n\n# b")}));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, HasSubstr("| failed | &lt;/details&gt;&lt;script&gt; | a  \\# b |\n"));
}

TEST(Markdown, ALongTableIsCutAndSaysSo) {
  std::vector<RecordedCase> cases;
  for (int i = 0; i < 130; ++i) cases.push_back(recorded_case("case" + std::to_string(i)));
  const std::string text = report_markdown(report_of(cases));
  EXPECT_THAT(text, HasSubstr("... and 30 more rows\n"));
  EXPECT_THAT(text, Not(HasSubstr("case100 ")));
}

}  // namespace
}  // namespace shardbench
