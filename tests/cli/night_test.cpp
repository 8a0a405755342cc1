#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/fingerprint.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

const std::string one_case = "[[training]]\nname = \"one\"\nstrategy = \"faulty\"\n";

/// Nights of a tiny suite: a run with a history, compared with the last green one. Its strategy is a plugin from
/// outside whose step takes 10 ms, and its slower build takes 310 ms: what a busy machine adds to either does not
/// matter.
class Night : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_file(
        folder_.path() / "tiny.toml",
        testing::tiny_suite +
            "launches = 3\n[gate]\nlaunches = 3\nconfirming_launches = 8\nconfirming_significance = 0.01\n" + one_case);
    install(LATE_STRATEGY);
    fs::create_directories(build() / "bin");
    fs::create_symlink(SHARDBENCH_PROGRAM, build() / "bin/shardbench");
  }
  /// Puts a plugin in the place that the nights name.
  void install(const fs::path& plugin) {
    fs::create_directories(folder_.path() / "mine");
    fs::copy_file(plugin, folder_.path() / "mine/mine.so", fs::copy_options::overwrite_existing);
  }
  /// Of the base's commit: this build itself.
  fs::path build() const { return folder_.path() / "builds" / collect_environment().commit_text(); }
  fs::path out(int night) const { return folder_.path() / ("out" + std::to_string(night)); }

  Ended in_folder(const std::vector<std::string>& words) {
    return testing::run_program(words, folder_.path(), {{"SHARDBENCH_PLUGIN_PATH", "mine"}});
  }
  Ended gate_check(std::vector<std::string> words) {
    words.insert(words.begin(), "gate-check");
    return in_folder(words);
  }
  Ended night(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run",       "tiny.toml", "--out",      "out" + std::to_string(++nights_),
                                      "--history", "nights",    "--baseline", "auto"};
    words.insert(words.end(), more.begin(), more.end());
    return in_folder(words);
  }
  testing::TemporaryFolder folder_;
  int nights_ = 0;
};

constexpr const char* slower = "--inject=slowdown=30";

TEST_F(Night, TheFirstHasNoBaselineAndAByteTooManyTurnsItRed) {
  const Ended first = night();
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out,
              AllOf(HasSubstr("no baseline: the history nights has no runs yet"), HasSubstr("history: nights/")));

  const Ended byte = night({"--inject", "bytes=1", "--no-confirm"});
  EXPECT_EQ(byte.status, 1) << byte.err;  // the law says so too, and that outranks a regression
  EXPECT_THAT(byte.out, HasSubstr("weights_bytes 88 -> 89 (+1, rank 0; law 88)"));
  EXPECT_THAT(byte.err, HasSubstr("rest_equals_law"));
  EXPECT_THAT(byte.out, AllOf(HasSubstr("INJECTED bytes=1 (run --inject)"), HasSubstr("[INJECTED bytes=1]\n")));
  EXPECT_THAT(testing::contents(folder_.path() / "out2/results.csv"), HasSubstr("bytes=1"));
  EXPECT_THAT(testing::contents(folder_.path() / "out2/junit.xml"), HasSubstr("name=\"injected\" value=\"bytes=1\""));
  EXPECT_THAT(testing::run_program({"history", "nights"}, folder_.path()).out, HasSubstr("INJECTED bytes=1"));
  const Ended named = in_folder({"run", "tiny.toml", "--baseline", "out2"});
  EXPECT_EQ(named.status, 2);
  EXPECT_THAT(named.err, HasSubstr("bytes=1 was injected into this run, so it is no baseline"));
  EXPECT_TRUE(fs::is_regular_file(out(2) / "comparison.json"));

  const Ended next = night({"--no-confirm"});  // compared with the first: the red one is no baseline
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_THAT(next.out, HasSubstr("0 larger"));
  const auto files = std::distance(fs::directory_iterator(folder_.path() / "nights"), fs::directory_iterator());
  EXPECT_EQ(files, 3);
}

TEST_F(Night, ATimeAloneMakesASuspectAndAReRunARegression) {
  EXPECT_EQ(night().status, 0);
  const Ended alone = night({slower, "--no-confirm"});
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_THAT(alone.out, AllOf(HasSubstr("  suspect: slower by the first look\n    one/training/faulty"),
                               HasSubstr("0 regressions"), HasSubstr("--confirm")));
  EXPECT_THAT(alone.err, Not(HasSubstr("confirming")));
  // Planted into the re-run, too, as it belongs to the build that is judged.
  const Ended again = night({slower});
  EXPECT_EQ(again.status, 3) << again.err;
  EXPECT_THAT(again.out, AllOf(HasSubstr("  slower one/training/faulty"), HasSubstr("1 regressions")));
  EXPECT_THAT(again.err, HasSubstr("confirming 1 cases: launch 8\n"));
  EXPECT_THAT(testing::contents(out(3) / "comparison.json"), HasSubstr("\"confirming_launches\""));
}

TEST_F(Night, TheBuildOfTheBasesCommitTakesTurns) {
  EXPECT_EQ(night({"--keep-plugins", build() / "plugins"}).status, 0);
  const Ended missing = night({slower, "--base-build", "elsewhere/{commit}"});
  EXPECT_EQ(missing.status, 3) << missing.err;
  EXPECT_THAT(missing.err, AllOf(HasSubstr("the base's build is not there, so the re-run is held against its old "
                                           "results: elsewhere/" +
                                           collect_environment().commit_text() + "\n"),
                                 HasSubstr("launch 8\n")));
  const Ended turns = night({slower, "--base-build", "builds/{commit}"});
  EXPECT_EQ(turns.status, 3) << turns.err;
  EXPECT_THAT(turns.err, HasSubstr("launch 8, the base's build\n"));
}

TEST_F(Night, APluginFromOutsideThatGotSlowerTurnsItRed) {
  EXPECT_EQ(night({"--keep-plugins", build() / "plugins"}).status, 0);
  install(LATER_STRATEGY);
  const Ended turns = night({"--base-build", "builds/{commit}"});  // of the same driver: only the plugin is another
  EXPECT_EQ(turns.status, 3) << turns.err;
  EXPECT_THAT(turns.err, HasSubstr("launch 8, the base's build\n"));
  EXPECT_THAT(turns.out, HasSubstr("  slower one/training/faulty"));
  const auto base = nlohmann::json::parse(testing::contents(out(2) / "comparison.json"));
  EXPECT_EQ(base["cases"][0]["metrics"].back()["confirming_launches"]["base"].size(), 8);

  // Where the base's plugin is gone, turns would have the new one on both sides.
  fs::remove_all(build() / "plugins");
  const Ended gone = night({"--base-build", "builds/{commit}"});
  EXPECT_EQ(gone.status, 0) << gone.err;
  EXPECT_THAT(gone.out,
              AllOf(HasSubstr("suspect: the base's plugin is not to be had, so it took no turns: strategy faulty"),
                    HasSubstr("mine.so"), HasSubstr("1 suspect")));
  EXPECT_THAT(gone.err, Not(HasSubstr("confirming")));
  // A file of that name with another content is not it.
  const auto kept = nlohmann::json::parse(testing::contents(out(1) / "results.json"))["run"]["environment"]["plugins"];
  for (const auto& plugin : kept)
    if (plugin["outside"]) {
      const fs::path copy = build() / "plugins" / plugin["sha1"].get<std::string>();
      fs::create_directories(copy);
      fs::copy_file(LATER_STRATEGY, copy / "mine.so");
    }
  EXPECT_THAT(night({"--base-build", "builds/{commit}"}).out, HasSubstr("so it took no turns: strategy faulty"));
}

TEST_F(Night, SomeCasesAloneAreNoBaselineForAll) {
  EXPECT_EQ(night({"--filter", "faulty"}).status, 0);
  EXPECT_THAT(night().out, HasSubstr("no baseline: the history has no green run of suite "));
  EXPECT_THAT(night({"--benchmark_filter=faulty", "--no-confirm"}).out, HasSubstr("1 cases in both"));
}

TEST_F(Night, WhatIsAskedWronglyRunsNothing) {
  const Ended missing = in_folder({"run", "tiny.toml", "--baseline", "nowhere"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("there is no file to read"), HasSubstr("nowhere")));
  const Ended no_history = in_folder({"run", "tiny.toml", "--baseline", "auto"});
  EXPECT_EQ(no_history.status, 2);
  EXPECT_THAT(no_history.err, HasSubstr("--baseline auto has no history to choose from"));
  const Ended nothing = in_folder({"run", "tiny.toml", "--confirm"});
  EXPECT_THAT(nothing.err, HasSubstr("--confirm has no baseline to compare with"));
  EXPECT_THAT(in_folder({"run", "tiny.toml", "--no-confirm"}).err, HasSubstr("--no-confirm has no baseline"));
  const Ended planted = in_folder({"run", "tiny.toml", "--inject", "luck"});
  EXPECT_EQ(planted.status, 2);
  EXPECT_THAT(planted.err, HasSubstr("'luck' cannot be planted"));
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
  testing::write_file(folder_.path() / "bad.toml",
                      testing::tiny_suite + testing::ddp_case("one") + "[gate.metric.loss_first]\nthreshold = 0.1\n");
  const Ended gate = in_folder({"check", "bad.toml"});
  EXPECT_EQ(gate.status, 2);
  EXPECT_THAT(gate.err, HasSubstr("gate.metric.loss_first names no column that a comparison judges"));
}

TEST_F(Night, TheGateIsCheckedOnRealRanks) {
  const Ended ended = gate_check({"tiny.toml", "--rounds", "16", "--slowdown", "30", "-o", "rounds.json"});
  EXPECT_TRUE(ended.status == 0 || ended.status == 3) << ended.err;  // false alarms are the machine's
  EXPECT_THAT(ended.out, AllOf(HasSubstr("comparisons of a case's blocks of launches: 66, of which 1 share no launch"),
                               HasSubstr("a slowdown of 3000 % found:      66 of 66 (100.00 %)"),
                               HasSubstr("one byte too many found:        1 of 1 cases")));
  // The same rounds, judged once more.
  EXPECT_THAT(ended.out, ::testing::StartsWith(gate_check({"tiny.toml", "--replay", "rounds.json"}).out));
}

TEST_F(Night, RecordedRoundsAreJudgedByTheSuitesGate) {
  std::string id = in_folder({"run", "tiny.toml", "--dry-run"}).out;
  id.pop_back();  // the end of the line
  const auto rounds = [&](double spread) {
    nlohmann::json all = {{"case", id}};
    for (int i = 0; i < 16; ++i) {
      all["base"].push_back(1 + spread * (i % 4));
      all["same"].push_back(1 + spread * ((i + 2) % 4));
      all["slower"].push_back(1.25 * (1 + spread * ((i + 1) % 4)));
    }
    testing::write_file(folder_.path() / "rounds.json", nlohmann::json{{"slowdown", 0.25}, {"cases", {all}}}.dump());
  };
  rounds(0.01);
  const Ended quiet = gate_check({"tiny.toml", "--replay", "rounds.json"});
  EXPECT_EQ(quiet.status, 0) << quiet.err;
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("the same build called slower:   0 of 66 (0.00 %)"),
                               HasSubstr("a slowdown of 25 % found:      66 of 66 (100.00 %)"),
                               HasSubstr("too noisy for a slowdown of 25 %: 0 of 1 cases\n")));
  rounds(0.5);
  const Ended noisy = gate_check({"tiny.toml", "--replay", "rounds.json"});
  EXPECT_EQ(noisy.status, 3) << noisy.out;
  EXPECT_THAT(noisy.out, AllOf(HasSubstr("too noisy for a slowdown of 25 %: 1 of 1 cases\n  " + id + ": finds "),
                               HasSubstr(" in 10 turns, spread ")));
  testing::write_file(
      folder_.path() / "strict.toml",
      testing::tiny_suite + "[gate]\nlaunches = 3\nthreshold = 10\nconfirming_launches = 8\n" + one_case);
  rounds(0.01);
  EXPECT_EQ(gate_check({"strict.toml", "--replay", "rounds.json"}).status, 3);
  testing::write_file(folder_.path() / "other.json", "{\"cases\": []}");
  const Ended other = gate_check({"tiny.toml", "--replay", "other.json"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("0 of the 1 cases are in it"));
}

}  // namespace
}  // namespace shardbench
