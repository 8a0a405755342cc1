#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/fingerprint.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// Nights of a tiny suite: a run with a history, compared with the last green one.
class Night : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_file(
        folder_.path() / "tiny.toml",
        testing::tiny_suite +
            "launches = 3\n[gate]\nlaunches = 3\nconfirming_launches = 8\nconfirming_significance = 0.01\n" +
            testing::ddp_case("one"));
  }
  Ended night(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run",       "tiny.toml", "--out",      "out" + std::to_string(++nights_),
                                      "--history", "nights",    "--baseline", "auto"};
    words.insert(words.end(), more.begin(), more.end());
    return testing::run_program(words, folder_.path());
  }
  testing::TemporaryFolder folder_;
  int nights_ = 0;
};

TEST_F(Night, TheFirstHasNoBaselineAndAByteTooManyTurnsItRed) {
  const Ended first = night();
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.out,
              AllOf(HasSubstr("no baseline: the history nights has no runs yet"), HasSubstr("history: nights/")));

  const Ended byte = night({"--inject", "bytes=1"});
  EXPECT_EQ(byte.status, 1) << byte.err;  // the law says so too, and that outranks a regression
  EXPECT_THAT(byte.out, HasSubstr("weights_bytes 88 -> 89 (+1, rank 0; law 88)"));
  EXPECT_THAT(byte.err, HasSubstr("rest_equals_law"));
  EXPECT_TRUE(fs::is_regular_file(folder_.path() / "out2/comparison.json"));

  const Ended next = night();  // compared with the first: the red one is no baseline
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_THAT(next.out, HasSubstr("0 larger"));
  const auto files = std::distance(fs::directory_iterator(folder_.path() / "nights"), fs::directory_iterator());
  EXPECT_EQ(files, 3);
}

TEST_F(Night, ASlowdownTurnsItRedOnceAReRunAgrees) {
  EXPECT_EQ(night().status, 0);
  const Ended slow = night({"--inject", "slowdown=30"});  // 31 times as slow: no machine is that noisy
  EXPECT_EQ(slow.status, 3) << slow.err;
  EXPECT_THAT(slow.out, AllOf(HasSubstr("  slower one/training/ddp"), HasSubstr("1 regressions")));
  // Planted into the re-run, too, as it belongs to the build that is judged.
  const Ended alone = night({"--inject", "slowdown=30", "--confirm"});
  EXPECT_EQ(alone.status, 3) << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("confirming 1 cases: launch 8\n"));
  EXPECT_THAT(testing::contents(folder_.path() / "out3/comparison.json"), HasSubstr("\"confirming_launches\""));
  const Ended sides = night({"--inject", "slowdown=30", "--confirm", "--base-build", SHARDBENCH_PROGRAM});
  EXPECT_EQ(sides.status, 3) << sides.err;
  EXPECT_THAT(sides.err, HasSubstr("launch 8, the base's build\n"));
  EXPECT_THAT(testing::contents(folder_.path() / "out4/comparison.json"), HasSubstr("\"confirming_launches\""));
}

TEST_F(Night, TheBuildOfTheBasesCommitTakesTurns) {
  EXPECT_EQ(night().status, 0);
  const std::string commit = collect_environment().commit_text();
  const Ended missing = night({"--inject", "slowdown=30", "--confirm", "--base-build", "builds/{commit}"});
  EXPECT_EQ(missing.status, 3) << missing.err;
  EXPECT_THAT(missing.err, AllOf(HasSubstr("the base's build is not there, so the re-run is held against its old "
                                           "results: builds/" +
                                           commit + "\n"),
                                 HasSubstr("launch 8\n")));
  fs::create_directories(folder_.path() / "builds" / commit / "bin");
  fs::create_symlink(SHARDBENCH_PROGRAM, folder_.path() / "builds" / commit / "bin/shardbench");
  const Ended turns = night({"--inject", "slowdown=30", "--confirm", "--base-build", "builds/{commit}"});
  EXPECT_EQ(turns.status, 3) << turns.err;
  EXPECT_THAT(turns.err, HasSubstr("launch 8, the base's build\n"));
}

TEST_F(Night, SomeCasesAloneAreNoBaselineForAll) {
  EXPECT_EQ(night({"--filter", "ddp"}).status, 0);
  EXPECT_THAT(night().out, HasSubstr("no baseline: the history has no green run of suite "));
  EXPECT_THAT(night({"--benchmark_filter=ddp"}).out, HasSubstr("1 cases in both"));
}

TEST_F(Night, WhatIsAskedWronglyRunsNothing) {
  const Ended missing = testing::run_program({"run", "tiny.toml", "--baseline", "nowhere"}, folder_.path());
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("there is no file to read"), HasSubstr("nowhere")));
  const Ended no_history = testing::run_program({"run", "tiny.toml", "--baseline", "auto"}, folder_.path());
  EXPECT_EQ(no_history.status, 2);
  EXPECT_THAT(no_history.err, HasSubstr("--baseline auto has no history to choose from"));
  const Ended nothing = testing::run_program({"run", "tiny.toml", "--confirm"}, folder_.path());
  EXPECT_THAT(nothing.err, HasSubstr("--confirm has no baseline to compare with"));
  const Ended planted = testing::run_program({"run", "tiny.toml", "--inject", "luck"}, folder_.path());
  EXPECT_EQ(planted.status, 2);
  EXPECT_THAT(planted.err, HasSubstr("'luck' cannot be planted"));
  EXPECT_FALSE(fs::exists(folder_.path() / "results"));
  testing::write_file(folder_.path() / "bad.toml",
                      testing::tiny_suite + testing::ddp_case("one") + "[gate.metric.loss_first]\nthreshold = 0.1\n");
  const Ended gate = testing::run_program({"check", "bad.toml"}, folder_.path());
  EXPECT_EQ(gate.status, 2);
  EXPECT_THAT(gate.err, HasSubstr("gate.metric.loss_first names no column that a comparison judges"));
}

TEST_F(Night, TheGateIsCheckedOnRealRanks) {
  const Ended ended = testing::run_program(
      {"gate-check", "tiny.toml", "--rounds", "16", "--slowdown", "30", "-o", "rounds.json"}, folder_.path());
  EXPECT_TRUE(ended.status == 0 || ended.status == 3) << ended.err;  // false alarms are the machine's
  EXPECT_THAT(ended.out, AllOf(HasSubstr("comparisons of a case's blocks of launches: 66, of which 1 share no launch"),
                               HasSubstr("a slowdown of 3000 % found:      66 of 66 (100.00 %)"),
                               HasSubstr("one byte too many found:        1 of 1 cases")));
  // The same rounds, judged once more; and by a rule that finds nothing.
  const Ended again = testing::run_program({"gate-check", "tiny.toml", "--replay", "rounds.json"}, folder_.path());
  EXPECT_THAT(ended.out, ::testing::StartsWith(again.out));
  testing::write_file(folder_.path() / "strict.toml",
                      testing::tiny_suite + "[gate]\nlaunches = 3\nthreshold = 10\nconfirming_launches = 8\n" +
                          testing::ddp_case("one"));
  const Ended strict = testing::run_program({"gate-check", "strict.toml", "--replay", "rounds.json"}, folder_.path());
  EXPECT_EQ(strict.status, 3);
  testing::write_file(folder_.path() / "other.json", "{\"cases\": []}");
  const Ended other = testing::run_program({"gate-check", "tiny.toml", "--replay", "other.json"}, folder_.path());
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("0 of the 1 cases are in it"));
}

}  // namespace
}  // namespace shardbench
