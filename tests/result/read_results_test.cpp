#include "result/read_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <limits>

#include "check/good_case.hpp"
#include "result/temporary_folder.hpp"
#include "result/writer.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// A folder with the results of a training case of two launches, a pipeline and a crashed case.
void write_results(const std::filesystem::path& folder) {
  RunInfo run;
  run.suite = "notebook";
  run.command_line = {"run", "suites/notebook.toml"};
  run.environment = collect_environment();
  run.environment.libraries = {{"LibTorch", "2.13.0"}};
  run.environment.plugins = {{"comm", "gloo", "0.1.0", "comm_gloo.so", sha1("x"), false},
                             {"strategy", "zero2", "1", "mine.so", sha1("y"), true}};
  run.gates["notebook"].threshold = 0.2;
  run.gates["notebook"].metrics["update_s"] = {.threshold = {}, .launches = 7, .better = Better::neither};
  run.filter = "world=2";
  run.injected = "byte=1";
  ResultWriter writer(folder, run);
  CaseResult training = good_training(2, 2);
  training.invariants = {{"rest_equals_law", Verdict::passed, ""}, {"own_rows", Verdict::not_run, "no rows"}};
  training.launches[0].ranks[1].losses.back() = std::numeric_limits<double>::quiet_NaN();
  writer.add(training);
  CaseResult pipeline = good_pipeline();
  pipeline.launches[0].samples[0].ranks[0].idle = 0.0001;
  pipeline.launches[0].samples[0].ranks[1].idle = 0.0002;
  pipeline.launches[0].samples[0].ranks[1].stages = {{1, 0.1, 0.2, 0.3, 0.4}};
  writer.add(pipeline);
  CaseResult crashed;
  crashed.spec.id = "crashed";
  crashed.status = Status::crashed;
  crashed.detail = "rank 0 was ended by signal 11";
  writer.add(crashed);
  writer.finish();
}

/// The message of the error that reading a file of this text gives.
std::string message_of(const std::string& text) {
  const TemporaryFolder root;
  const auto file = root.path() / "results.json";
  std::ofstream(file) << text;
  try {
    read_results(root.path());
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), file.string());
    EXPECT_FALSE(e.cure().empty());
    return e.problem();
  }
  return "read without an error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST(ReadResults, GivesBackWhatWasWritten) {
  const TemporaryFolder root;
  write_results(root.path());
  const RecordedRun run = read_results(root.path());
  EXPECT_EQ(run.file, root.path() / "results.json");
  EXPECT_EQ(run.suite, "notebook");
  EXPECT_THAT(run.command_line, ElementsAre("run", "suites/notebook.toml"));
  EXPECT_EQ(run.finished.size(), std::string("2026-07-30T14:05:09Z").size());
  EXPECT_EQ(run.environment.libraries.at("LibTorch"), "2.13.0");
  EXPECT_EQ(run.environment.plugins.at(0).sha1, sha1("x"));
  EXPECT_FALSE(run.environment.plugins.at(0).outside);
  EXPECT_TRUE(run.environment.plugins.at(1).outside);
  ASSERT_TRUE(run.load.has_value());
  EXPECT_GT(run.load->seconds, 0);
  EXPECT_TRUE(run.load->load_before.has_value());
  EXPECT_FALSE(run.green());
  EXPECT_EQ(run.gates.at("notebook").threshold_of("update_s"), 0.2);
  EXPECT_EQ(run.gates.at("notebook").launches_of("update_s"), 7);
  EXPECT_EQ(run.gates.at("notebook").better_of("update_s"), Better::neither);
  EXPECT_EQ(run.filter, "world=2");
  EXPECT_EQ(run.injected, "byte=1");

  const RecordedCase* training = run.find("zero2-w2");
  ASSERT_NE(training, nullptr);
  EXPECT_EQ(training->status, Status::ok);
  EXPECT_EQ(training->identity.at("strategy"), "zero2");
  EXPECT_EQ(training->identity.at("world"), "2");
  EXPECT_EQ(training->identity.at("horizon"), "");
  EXPECT_EQ(training->settings.at("wait_mode"), "sync, block");
  EXPECT_EQ(training->spec.at("model.widths"), "[256,256,256,256,256,256,256,256,256]");
  EXPECT_EQ(training->spec.at("optimizer.beta1"), "0.9");
  EXPECT_EQ(training->backend.at("transport"), "tcp on lo");
  EXPECT_EQ(training->quantities.find("machine_total_bytes"), 8421384);
  EXPECT_EQ(training->quantities.find("algbw_Bps"), std::nullopt);
  EXPECT_EQ(training->invariants.at(1).verdict, Verdict::not_run);
  EXPECT_EQ(training->invariants.at(1).message, "no rows");
  const auto used = run.plugins_of(*training);
  ASSERT_EQ(used.size(), 2u);
  EXPECT_EQ(used[1].file, "mine.so");
  EXPECT_EQ(run.plugins_of(run.cases.at(1)).size(), 1u);  // a pipeline has a backend alone of these
}

TEST(ReadResults, GivesEachLaunchItsRanksAndRawSamples) {
  const TemporaryFolder root;
  write_results(root.path());
  const RecordedRun run = read_results(root.path() / "results.json");
  const auto& launches = run.find("zero2-w2")->launches;
  ASSERT_EQ(launches.size(), 2u);
  ASSERT_EQ(launches[1].ranks.size(), 2u);
  EXPECT_EQ(launches[1].ranks[1].rank, 1);
  EXPECT_EQ(launches[1].ranks[1].quantities.find("optimizer_bytes"), 2105348);
  EXPECT_EQ(launches[1].ranks[1].peak_moment, "backward of unit 0");
  EXPECT_EQ(launches[1].ranks[1].law.find("weights_bytes"), 1052672);
  EXPECT_EQ(launches[1].ranks[1].law.find("total_bytes"), 4210692);
  EXPECT_EQ(launches[1].ranks[1].law.find("sent_bytes"), 2105344);
  EXPECT_EQ(launches[1].ranks[1].law.find("vm_hwm_bytes"), std::nullopt);
  EXPECT_TRUE(std::isnan(launches[0].ranks[1].losses.back()));
  EXPECT_THAT(launches[1].seconds, ElementsAre(0.002, 0.003));
  EXPECT_THAT(launches[1].samples.at(1).at("backward"), ElementsAre(0.001, 0.001));
  EXPECT_DOUBLE_EQ(launches[1].times.find("step_median_s").value(), 0.0025);
  EXPECT_DOUBLE_EQ(launches[1].times.find("backward_s").value(), 0.001);

  const auto& ranks = run.find("1f1b-w2-h2")->launches.at(0).ranks;
  EXPECT_EQ(ranks.at(0).quantities.find("in_flight"), 2);
  EXPECT_EQ(ranks.at(1).law.find("in_flight"), 1);
  EXPECT_TRUE(run.find("crashed")->launches.empty());
  EXPECT_EQ(run.find("crashed")->detail, "rank 0 was ended by signal 11");
  EXPECT_EQ(run.find("another"), nullptr);
}

TEST(ReadResults, SamplesOfARejectedLaunchStayInTheFileAndDoNotCount) {
  const TemporaryFolder root;
  CaseResult training = good_training(2, 2);
  training.launches[1].rejected_by = "timed_sent_equals_law";
  {
    ResultWriter writer(root.path(), RunInfo{});
    writer.add(training);
    writer.finish();
  }
  EXPECT_THAT(file_text(root.path() / "results.json"), HasSubstr("\"rejected_by\":\"timed_sent_equals_law\""));
  const auto launches = read_results(root.path()).cases.at(0).launches;
  EXPECT_EQ(launches.at(0).rejected_by, "");
  EXPECT_EQ(launches.at(0).seconds.size(), 2u);
  EXPECT_EQ(launches.at(1).rejected_by, "timed_sent_equals_law");
  EXPECT_TRUE(launches.at(1).seconds.empty());
  EXPECT_EQ(launches.at(1).times.size(), 0u);
  EXPECT_EQ(launches.at(1).ranks.size(), 2u);
}

TEST(ReadResults, GivesAPipelineItsIdleTimeAndItsStages) {
  const TemporaryFolder root;
  write_results(root.path());
  const RecordedRun run = read_results(root.path());
  const RecordedLaunch& launch = run.find("1f1b-w2-h2")->launches.at(0);
  EXPECT_THAT(launch.samples.at(0).at("idle"), ElementsAre(0.0001));
  EXPECT_EQ(launch.times.find("idle_s"), 0.0002);
  ASSERT_EQ(launch.stages.size(), 1u);
  EXPECT_EQ(launch.stages[0].rank, 1);
  EXPECT_EQ(launch.stages[0].stage, 1);
  EXPECT_THAT(launch.stages[0].seconds.at("weight"), ElementsAre(0.4));
  EXPECT_TRUE(is_launch_time("idle_s"));
  EXPECT_FALSE(is_launch_time("wall_s"));
  EXPECT_EQ(run.find("zero2-w2")->launches.at(0).times.find("idle_s"), std::nullopt);
}

TEST(ReadResults, RowsOfAFileShareTheirNames) {
  NamePool pool;
  EXPECT_EQ(pool.shared({"a", "b"}), pool.shared({"a", "b"}));
  EXPECT_NE(pool.shared({"a", "b"}), pool.shared({"b", "a"}));
}

TEST(ReadResults, SaysWhatIsWrongWithAFile) {
  const TemporaryFolder root;
  write_results(root.path());
  const std::string good = contents(root.path() / "results.json");
  EXPECT_THAT(message_of(good.substr(0, good.size() / 2)), HasSubstr("the results are damaged: [json.exception.parse"));
  EXPECT_THAT(message_of(""), HasSubstr("the results are damaged: "));
  EXPECT_THAT(message_of("[1,2]"), HasSubstr("the results are damaged: "));
  EXPECT_EQ(message_of(replaced(good, "\"schema_version\":1", "\"schema_version\":2")),
            "schema_version is 2, but this Shardbench reads 1 and below");
  EXPECT_THAT(message_of(replaced(good, "\"status\":\"crashed\"", "\"status\":\"fine\"")),
              "the results are damaged: case 3: 'fine' is no status of a case");
  EXPECT_THAT(message_of(replaced(good, "\"losses\"", "\"gains\"")), HasSubstr("case 1: "));
  EXPECT_THAT(message_of(replaced(good, "\"losses\"", "\"gains\"")), HasSubstr("key 'losses' not found"));
  EXPECT_EQ(message_of(replaced(good, "\"case\":\"1f1b-w2-h2\"", "\"case\":\"zero2-w2\"")),
            "the results are damaged: case 2: 'zero2-w2' is in it twice");
}

TEST(ReadResults, SaysThatAFolderHasNoResults) {
  const TemporaryFolder root;
  for (const auto& path : {root.path(), root.path() / "missing"}) try {
      read_results(path);
      FAIL() << path;
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), "there is no file to read");
      EXPECT_THAT(e.where(), HasSubstr(root.path().string()));
    }
}

TEST(ReadResults, ReadsTheCommittedRun) {
  const RecordedRun run = read_results(std::string(SHARDBENCH_SOURCE_DIR) + "/results/example");
  EXPECT_EQ(run.cases.size(), 24u);
  EXPECT_TRUE(run.green());
}
