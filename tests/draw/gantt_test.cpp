#include "draw/gantt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/simulation_table.hpp"
#include "law/plans.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Plan plan = testing::plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1I0 1W0 1F1 1B1"});

Gantt chart(double latency = 0) {
  return {"two ranks", "a <test>", {gantt_part("simulated", plan, simulate(plan, {.latency = latency}))}};
}

TEST(GanttText, HasABoxForEachActionInWholeColumns) {
  EXPECT_EQ(gantt_text(chart(), {.columns = 57}),
            "two ranks\n"
            "  rank 0  F0-F1-...B0----......B1----  idle 3, 3 inside\n"
            "  rank 1  ...F0-I0-W0-F1-B1----......  idle 3, 0 inside\n"
            "  F forward  B whole backward  I gradient of the input  W gradient of the weights  . idle\n");
}

TEST(GanttText, ShowsWhatFillsMostOfAColumnWhereThereAreFew) {
  const std::string text = gantt_text(chart(), {.columns = 20});
  EXPECT_THAT(text, HasSubstr("rank 0  F0F1..B0--....B1--"));
  Gantt narrow = chart();
  narrow.parts[0].rows[0].boxes.push_back({30, 90, {ActionKind::backward, 0, 7}, false});
  EXPECT_THAT(gantt_text(narrow, {.columns = 20}), HasSubstr("rank 0  BB.....B7-----------  "));
}

TEST(GanttText, TellsChunksByTheCaseOfTheirLetters) {
  const Plan v = testing::plan_of({0, 0}, {"0F0 1F0 1B0 0B0"});
  const Gantt gantt{"v", "", {gantt_part("simulated", v, simulate(v, {}))}};
  EXPECT_THAT(gantt_text(gantt, {.columns = 40}),
              AllOf(HasSubstr("rank 0  F0-f0-b0----B0----"), HasSubstr("Ff forward  Bb whole backward")));
}

TEST(GanttText, UsesColourAndUnicodeWhereItMay) {
  const std::string text = gantt_text(chart(), {{true}, true, 57});
  EXPECT_THAT(text, AllOf(HasSubstr("\033[48;5;117;30mF0-\033[0m"), HasSubstr("···"), HasSubstr("· idle")));
}

TEST(Gantt, LeavesOutRanksInTheMiddle) {
  Plan many;
  for (int r = 0; r < 70; ++r) {
    many.placement.push_back(r);
    many.ranks.emplace_back().forward(r, 0);
    many.ranks.back().backward(r, 0);
  }
  const Gantt gantt{"many", "", {gantt_part("simulated", many, simulate(many, {}))}};
  EXPECT_EQ(gantt.parts[0].rows.size(), 64U);
  EXPECT_EQ(gantt.parts[0].rows[32].label, "rank 38");
  EXPECT_THAT(gantt_text(gantt, {.columns = 57}), HasSubstr("  ... 6 ranks more\n  rank 38"));
  EXPECT_THAT(gantt_svg(gantt), HasSubstr("... 6 ranks more"));
}

TEST(GanttSvg, IsSelfContainedAndTellsNothingByColourAlone) {
  const std::string svg = gantt_svg(chart());
  EXPECT_THAT(svg, AllOf(HasSubstr("<title id=\"title\">What each rank does when: two ranks</title>"),
                         HasSubstr("a &lt;test&gt;"), HasSubstr("<title>1W0</title>"), HasSubstr("class=\"W\""),
                         HasSubstr("W gradient of the weights"), HasSubstr("prefers-color-scheme: dark"),
                         HasSubstr("idle 3, 0 inside"), Not(HasSubstr("<script")), Not(HasSubstr("class=\"F2\""))));
}

TEST(GanttSvg, PutsSimulatedAboveExecuted) {
  Gantt both = chart();
  both.parts.push_back(both.parts[0]);
  both.parts[1].title = "executed";
  const std::string svg = gantt_svg(both);
  EXPECT_LT(svg.find(">simulated<"), svg.find(">executed<"));
  EXPECT_EQ(both.boxes(), 18U);
}

TEST(GanttSvg, RefusesMoreThanAViewerShows) {
  Gantt large = chart();
  large.parts[0].rows[0].boxes.resize(60'000);
  try {
    gantt_svg(large);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.problem(), "the picture would have 60005 boxes, but 50000 are as many as a viewer can show");
  }
}

TEST(SimulationTable, NamesBothIdleTimesTheLawAndTheCriticalPath) {
  const Simulation simulation = simulate(plan, {.latency = 0.5, .boundary_bytes = {1000}});
  EXPECT_EQ(simulation_table(plan, simulation, {{2, 2}, {1, 2}}, {}),
            "makespan 10, 40.0 % of it idle\n"
            "  rank  stages  first to last action  busy  idle in the makespan  idle inside its span  in flight until I "
            "   until W\n"
            "     0  0                    0 to 10     6                     4                     4                  2 "
            "         2\n"
            "     1  1                 1.5 to 7.5     6                     4                     0                  1 "
            " 1 (law 2)\n"
            "  from rank  to rank  messages  bytes\n"
            "          0        1         2  2,000\n"
            "          1        0         2  2,000\n"
            "  2 links: 4 messages, 4,000 bytes\n"
            "critical path: 7 actions on 2 ranks, 9 in them and 1 in messages\n"
            "  rank 0 0F0, rank 1 1F0..1B1, rank 0 0B1\n");
}

TEST(ComparisonTable, RanksByTimeAndByMemory) {
  EXPECT_EQ(comparison_table(
                {{"slow", 1, 40, 10, 4, 4, 100}, {"fast", 2, 30, 3, 7, 8, 200}, {"fast too", 1, 30, 3, 4, 4, 100}},
                "bytes", {}),
            "  schedule  chunks  makespan  by time    idle  in flight until I  until W  by memory  sent bytes\n"
            "  fast too       1        30        1  10.0 %                  4        4          1         100\n"
            "  fast           2        30        1  10.0 %                  7        8          3         200\n"
            "  slow           1        40        3  25.0 %                  4        4          1         100\n");
}

TEST(ComparisonTable, MarksALawThatIsWrong) {
  EXPECT_EQ(
      comparison_table({{"right", 1, 30, 3, 4, 4, 100}, {"lying", 1, 40, 3, 4, 4, 100, "rank 0: ..."}}, "bytes", {}),
      "  schedule  chunks  makespan  by time    idle  in flight until I  until W  by memory  sent bytes  law\n"
      "  right          1        30        1  10.0 %                  4        4          1         100\n"
      "  lying          1        40        2   7.5 %                  4        4          1         100  wrong\n");
}

}  // namespace
}  // namespace shardbench
