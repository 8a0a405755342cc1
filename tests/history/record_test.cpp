#include "history/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compare/compare.hpp"
#include "result/quantities.hpp"
#include "result/read_results.hpp"
#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using shardbench::testing::TemporaryFolder;
using ::testing::HasSubstr;

namespace {

RecordedRun example() { return read_results(std::string(SHARDBENCH_SOURCE_DIR) + "/results/example"); }

template <class Read>
std::string message_of(const std::string& text, Read read) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.json";
  std::ofstream(file) << text;
  try {
    read(file);
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), file.string());
    return e.problem();
  }
  return "read without an error";
}

std::string summary_message(const std::string& text) {
  return message_of(text, [](const auto& file) {
    NamePool pool;
    read_summary(file, pool);
  });
}

std::string record_message(const std::string& text) {
  return message_of(text, [](const auto& file) { read_record(file); });
}

}  // namespace

TEST(Record, ComparesLikeTheResultsItCameFrom) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.json";
  RecordedRun run = example();
  run.gates["notebook-3.13"].threshold = 0.2;
  std::ofstream(file) << record_text(run);
  const RecordedRun back = read_record(file);
  EXPECT_EQ(back.suite, run.suite);
  EXPECT_EQ(back.command_line, run.command_line);
  EXPECT_EQ(back.gates.at("notebook-3.13").threshold, 0.2);
  EXPECT_TRUE(back.green());
  EXPECT_EQ(fingerprint_digest(back), fingerprint_digest(run));
  const Comparison c = compare({run}, {back}, {.allow = {}, .threshold = {}, .launches = 2});
  EXPECT_EQ(c.cases.size(), 24u);
  EXPECT_EQ(c.count(Change::not_comparable), 0u);
  EXPECT_EQ(c.regressions(), 0u);
  for (const CaseVerdict& v : c.cases) {
    EXPECT_TRUE(v.metrics_new.empty() && v.metrics_gone.empty() && v.checks_gone.empty()) << v.id;
    EXPECT_EQ(v.metrics.back().base, v.metrics.back().next) << v.id;  // times too
  }
  EXPECT_EQ(back.cases[5].launches[0].ranks[0].law.find("weights_bytes"),
            run.cases[5].launches[0].ranks[0].law.find("weights_bytes"));
}

TEST(Record, TheSummaryHasWhatIsFollowed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.json";
  const RecordedRun run = example();
  std::ofstream(file) << record_text(run);
  NamePool pool;
  const HistoryRun summary = read_summary(file, pool);
  EXPECT_EQ(summary.suite, "notebook-3.13");
  EXPECT_EQ(summary.started, run.started);
  EXPECT_EQ(summary.commit, run.environment.commit);
  EXPECT_TRUE(summary.green);
  EXPECT_EQ(summary.injected, "");
  ASSERT_EQ(summary.cases.size(), 24u);
  const HistoryCase& c = summary.cases[0];
  EXPECT_EQ(c.id, run.cases[0].id);
  EXPECT_EQ(c.values.find("weights_bytes"), 2105344);
  EXPECT_EQ(c.values.find("step_median_s"), run.cases[0].quantities.find("step_median_s"));
  EXPECT_EQ(c.values.find("vm_hwm_bytes"), std::nullopt);
  EXPECT_EQ(c.values.find("wall_s"), run.cases[0].quantities.find("wall_s"));
  ASSERT_EQ(c.launches.size(), 1u);
  for (const char* time : {"step_median_s", "forward_s", "update_s"}) {
    ASSERT_TRUE(run.cases[0].launches[0].times.find(time)) << time;
    EXPECT_EQ(c.launches[0].find(time), run.cases[0].launches[0].times.find(time)) << time;
  }
}

TEST(Record, EveryTimeIsFollowed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "run.json";
  RecordedRun run = example();
  auto names = std::make_shared<std::vector<std::string>>();
  for (const Column& column : columns())
    if (column.unit == "s") names->push_back(std::string(column.name));
  ASSERT_GE(names->size(), 10u);
  run.cases.front().quantities = Quantities(names, std::vector<double>(names->size(), 0.5));
  std::ofstream(file) << record_text(run);
  NamePool pool;
  const Quantities values = read_summary(file, pool).cases.front().values;
  for (const std::string& name : *names) EXPECT_EQ(values.find(name), 0.5) << name;
}

// What earlier versions wrote has the medians of the steps alone.
TEST(Record, AnOlderSummaryHasTheMediansOfItsSteps) {
  const TemporaryFolder folder;
  std::string text = record_text(example());
  const auto end = text.find('\n');
  auto summary = nlohmann::json::parse(text.substr(0, end));
  for (auto& c : summary["cases"]) c.erase(4);
  const auto file = folder.path() / "old.json";
  std::ofstream(file) << summary.dump() << text.substr(end);
  NamePool pool;
  const HistoryCase c = read_summary(file, pool).cases[0];
  ASSERT_EQ(c.launches.size(), 1u);
  EXPECT_EQ(c.launches[0].find("step_median_s"), example().cases[0].launches[0].times.find("step_median_s"));
}

TEST(Record, TheSummarySaysWhatWasInjected) {
  const TemporaryFolder folder;
  RecordedRun run = example();
  run.injected = "bytes=1";
  std::ofstream(folder.path() / "run.json") << record_text(run);
  NamePool pool;
  const HistoryRun summary = read_summary(folder.path() / "run.json", pool);
  EXPECT_EQ(summary.injected, "bytes=1");
  EXPECT_FALSE(summary.green);
  EXPECT_EQ(read_record(folder.path() / "run.json").injected, "bytes=1");
}

TEST(Record, SaysWhatIsWrongWithAFile) {
  const std::string good = record_text(example());
  const auto second = good.find('\n') + 1;
  EXPECT_THAT(summary_message(good.substr(0, 100)), HasSubstr("it has no whole first line"));
  EXPECT_THAT(summary_message(good.substr(0, good.size() - 100)), HasSubstr("bytes, but"));
  EXPECT_THAT(summary_message("{}\n{}\n"), HasSubstr("key 'history_version' not found"));
  EXPECT_THAT(summary_message("nonsense\n"), HasSubstr("this file of the history is damaged: "));
  std::string newer = good;
  newer.replace(newer.find("\"history_version\":1"), 19, "\"history_version\":2");
  EXPECT_EQ(summary_message(newer), "history_version is 2, but this Shardbench reads 1 and below");
  EXPECT_EQ(record_message(newer), "history_version is 2, but this Shardbench reads 1 and below");
  EXPECT_THAT(record_message(good.substr(0, second)), HasSubstr("it has no second line"));
  EXPECT_THAT(record_message(good.substr(0, second) + "{\"suite\":\"s\"}"), HasSubstr("key 'started' not found"));
  std::string index = good;  // a list of names that is not there
  const std::string row = "\"quantities\":[";
  index.replace(index.find(row) + row.size(), 1, "9");
  EXPECT_THAT(record_message(index), HasSubstr("this file of the history is damaged: "));
}
