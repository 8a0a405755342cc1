#include "history/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "history/change_points.hpp"
#include "history/history_csv.hpp"
#include "history/history_text.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// 30 runs of two cases; from run 20 on the step takes 1.3 times as long, and from run 25 on there is one byte more.
History thirty_runs() {
  const auto names =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"weights_bytes", "step_median_s"});
  const auto times =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"step_median_s", "idle_s"});
  History history;
  for (int i = 0; i < 30; ++i) {
    HistoryRun& run = history.runs.emplace_back();
    run.suite = "s";
    run.started = "2026-07-" + std::string(i < 9 ? "0" : "") + std::to_string(i + 1) + "T00:00:00Z";
    run.finished = run.started;
    run.commit = "c" + std::to_string(i);
    run.fingerprint = "m";
    run.green = true;
    const double step = (i < 20 ? 0.002 : 0.0026) * (1 + 0.01 * (i % 3));
    run.cases = {
        {"a", Status::ok, {names, {i < 25 ? 100. : 101., step}}, {{times, {step, 0.001}}, {times, {step, 0.001}}}},
        {"b", Status::ok, {names, {100, 0.001 + 0.00001 * (i % 2)}}, {{times, {0.001, 0.0005}}}}};
  }
  return history;
}

}  // namespace

TEST(Series, HaveNoRunsIntoWhichSomethingWasInjected) {
  History history = thirty_runs();
  history.runs[7].injected = "slowdown=0.25";
  history.runs[7].green = false;
  for (const Series& series : series_of(history.runs, {})) {
    EXPECT_EQ(series.values.size(), 29u);
    EXPECT_EQ(std::count(series.runs.begin(), series.runs.end(), 7u), 0);
  }
  EXPECT_THAT(history_text(history.runs, {}, {}, {}), HasSubstr("INJECTED slowdown=0.25"));
  EXPECT_THAT(history_csv(history.runs, {"", "^a$", "weights_bytes"}),
              HasSubstr("2026-07-08T00:00:00Z,s,c7,m,no,a,ok,weights_bytes,,100,slowdown=0.25"));
}

TEST(Series, AreOfTheSelection) {
  const History history = thirty_runs();
  const auto runs = selected_runs(history, {"2026-07-11", "", ""});
  ASSERT_EQ(runs.size(), 20u);
  const auto series = series_of(runs, {"", "^b$", "weights_bytes"});
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].case_id, "b");
  EXPECT_FALSE(series[0].timed);
  EXPECT_EQ(series[0].values.size(), 20u);
  EXPECT_THROW(selected_runs(history, {"yesterday", "", ""}), Error);
  EXPECT_THROW(series_of(runs, {"", "(", ""}), Error);
}

TEST(Series, LeaveOutCasesThatWereNotOkAndKeepMachinesApart) {
  History history = thirty_runs();
  history.runs[3].cases[0].status = Status::crashed;
  for (std::size_t i = 0; i < 10; ++i) history.runs[i].fingerprint = "old";
  const auto series = series_of(history.runs, {"", "^a$", "weights_bytes"});
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].fingerprint, "m");
  EXPECT_EQ(series[0].values.size(), 20u);
  EXPECT_THAT(series[1].runs, ElementsAre(0, 1, 2, 4, 5, 6, 7, 8, 9));
}

TEST(LastingChanges, SayBetweenWhichCommits) {
  const History history = thirty_runs();
  const auto changes = lasting_changes(series_of(history.runs, {}));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].metric, "weights_bytes");
  EXPECT_EQ(changes[0].last_before, 24u);
  EXPECT_EQ(changes[0].after, 101);
  EXPECT_EQ(changes[1].metric, "step_median_s");
  EXPECT_EQ(changes[1].first_after, 20u);
  EXPECT_NEAR(changes[1].after / changes[1].before, 1.3, 0.02);
  EXPECT_THAT(history_text(history.runs, {}, changes, {}),
              HasSubstr("a step_median_s: 2.02 ms -> 2.63 ms (x 1.30, p 0.005)\n"
                        "    between 2026-07-20T00:00:00Z (commit c19) and 2026-07-21T00:00:00Z (commit c20)\n"));
}

TEST(HistoryCsv, HasOneNumberARow) {
  const History history = thirty_runs();
  const auto runs = selected_runs(history, {"2026-07-30", "", ""});
  EXPECT_EQ(history_csv(runs, {"", "^a$", ""}),
            "started,suite,commit,fingerprint,green,case,status,metric,launch,value,injected\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,weights_bytes,,101,\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,step_median_s,,0.002652,\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,step_median_s,0,0.002652,\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,idle_s,0,0.001,\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,step_median_s,1,0.002652,\n"
            "2026-07-30T00:00:00Z,s,c29,m,yes,a,ok,idle_s,1,0.001,\n");
}

TEST(HistoryText, NamesRedRunsAndDamagedFiles) {
  History history = thirty_runs();
  history.runs[0].green = false;
  const std::string text = history_text(history.runs, {{"h/x.json", "it is cut"}}, {}, {});
  EXPECT_THAT(text, HasSubstr("30 runs\n"));
  EXPECT_THAT(text, HasSubstr("  2  red\n"));
  EXPECT_THAT(text, HasSubstr("skipped h/x.json: it is cut\n"));
  EXPECT_THAT(text, HasSubstr("no lasting change\n"));
}
