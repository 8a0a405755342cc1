#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::Ended;
using ::testing::HasSubstr;
using testing::Row;
using ::testing::StartsWith;
namespace fs = std::filesystem;

/// Runs a suite that has the faulty strategy between two good cases and gives the row of the faulty one.
class Faults : public ::testing::TestWithParam<std::string> {
 protected:
  Row faulty_row(const std::string& fault, int exit_status, const std::string& more = {},
                 const std::string& plugin = FAULTY_STRATEGY) {
    const std::string path = "[plugins]\npath = [\"" + plugin + "\"]\n";
    const auto suite = testing::write_file(
        folder_.path() / "faults.toml",
        testing::tiny_suite + "backend = \"" + GetParam() + "\"\n" + path + testing::ddp_case("before") +
            "\n[[training]]\nname = \"between\"\nstrategy = \"faulty\"\nsteps = 3\noptions = { fault = \"" + fault +
            "\" }\n" + more + testing::ddp_case("after"));
    testing::Program program({"run", suite, "--out", "out"}, folder_.path());
    const Ended ended = program.wait();
    EXPECT_EQ(ended.status, exit_status) << ended.err;
    EXPECT_TRUE(program.processes().empty()) << "a process was left behind";
    EXPECT_THAT(ended.err, HasSubstr("case 3 of 3: ok after/"));
    const auto rows = testing::read_csv(folder_.path() / "out/results.csv");
    EXPECT_EQ(rows.size(), 3u);
    if (rows.size() != 3) return {};
    Row faulty;  // written last where it has more launches than the others
    for (const Row& row : rows) {
      if (row.at("case").starts_with("between/"))
        faulty = row;
      else
        EXPECT_EQ(row.at("status"), "ok") << row.at("detail");
    }
    EXPECT_THAT(faulty["case"], HasSubstr("fault=" + fault));
    EXPECT_THAT(ended.err, HasSubstr("case 2 of 3: " + faulty["status"] + " "));
    return faulty;
  }

  testing::TemporaryFolder folder_;
};

constexpr auto last_operation = "after all_reduce of 22 float32 \\(sum\\) \\(collectives so far: 1\\)";

TEST_P(Faults, NoneIsAGoodCase) { EXPECT_EQ(faulty_row("none", 0).at("status"), "ok"); }

TEST_P(Faults, AHangIsATimeoutThatNamesTheRankThatTheOthersWaitFor) {
  const Row row = faulty_row("hang", 4, "deadline_s = 10\n");
  EXPECT_EQ(row.at("status"), "timeout");
  EXPECT_THAT(row.at("detail"),
              AllOf(StartsWith("no answer to 'train' within the deadline of 10 s: rank 1 is computing for "),
                    ContainsRegex(last_operation),
                    HasSubstr("rank 0 is in all_reduce of 22 float32 (sum) (collectives so far: 2) for ")));
  EXPECT_EQ(row.at("weights_bytes"), "");
}

TEST_P(Faults, ACrashNamesTheRankAndItsLastOperation) {
  const Row row = faulty_row("crash", 4);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(
      row.at("detail"),
      AllOf(StartsWith("rank 1 was killed by signal 11 (Segmentation fault) while asked to 'train': computing for "),
            ContainsRegex(last_operation)));
}

TEST_P(Faults, AnExitNamesTheRankAndItsStatus) {
  const Row row = faulty_row("exit", 4);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"), AllOf(StartsWith("rank 0 exited with status 7 while asked to 'train': computing for "),
                                      ContainsRegex(last_operation)));
}

TEST_P(Faults, AnExceptionNamesTheRankThatThrewIt) {
  const Row row = faulty_row("throw", 4);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_EQ(row.at("detail"), "rank 1 failed in 'train': the strategy gives up");
}

// mpirun calls an exit before MPI_Finalize a failure, with status 1.
TEST_P(Faults, AnExitWithStatus0IsACrashToo) {
  const Row row = faulty_row("quit", 4);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"),
              ContainsRegex("^rank 0 exited with status [01] while asked to 'train': computing for "));
}

TEST_P(Faults, AnExitWhileThePluginIsLoadedIsACrashToo) {
  const Row row = faulty_row("none", 4, {}, FAULTY_EXIT_STRATEGY);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"), ContainsRegex("^rank [01] exited with status [01] while asked to 'case'"));
}

TEST_P(Faults, AnExceptionOfAnyTypeIsTold) {
  EXPECT_EQ(faulty_row("int", 4).at("detail"), "rank 1 failed in 'train': it threw an exception of type int");
  EXPECT_EQ(faulty_row("own", 4).at("detail"), "rank 1 failed in 'train': of my own");
  EXPECT_THAT(faulty_row("constructor", 4).at("detail"), ContainsRegex("^rank [01] failed in 'case': of my own$"));
}

TEST_P(Faults, WhatAStrategyHandsOverIsCheckedBeforeItIsRead) {
  EXPECT_THAT(faulty_row("pieces", 4).at("detail"),
              HasSubstr("failed in 'train': a gradient piece is of unit 99, but there are 1 units"));
  EXPECT_THAT(faulty_row("holdings", 4).at("detail"),
              HasSubstr("failed in 'train': holding 'shard' is an undefined tensor"));
}

TEST_P(Faults, AnImpossibleLawEndsItsCase) {
  EXPECT_THAT(faulty_row("law_throws", 4).at("detail"), HasSubstr("failed in 'case': of my own"));
  EXPECT_THAT(
      faulty_row("law_without_units", 4).at("detail"),
      HasSubstr("failed in 'case': the residency of a step has 0 units, but the model has 1 units of 2 layers"));
  EXPECT_THAT(faulty_row("law_negative", 4).at("detail"),
              HasSubstr("claims 18446744073709551615 for weights, but numbers are from 0 to 2^63 - 1"));
}

// Whichever rank comes second finds it, before the call reaches the backend.
TEST_P(Faults, ADisagreementNamesBothCalls) {
  const Row row = faulty_row("disagree", 4);
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"),
              AllOf(HasSubstr("ranks disagree on collective 2: "), HasSubstr("all_reduce of 22 float32 (sum)"),
                    HasSubstr("all_reduce of 3 float32 (sum)")));
}

// Not a fault but a wrong strategy: one rank's gradients count twice.
TEST_P(Faults, WrongGradientsFailTheCase) {
  const Row row = faulty_row("unequal", 1);
  EXPECT_EQ(row.at("status"), "failed");
  EXPECT_THAT(row.at("detail"), ContainsRegex("^(loss|gradients)_equals?_reference: rank 0"));
}

// Of two launches, only the first one exits.
TEST_P(Faults, ALostLaunchLosesTheCaseWhateverTheOthersDo) {
  const Row row = faulty_row("exit_once", 4, "launches = 2\n");
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"), StartsWith("rank 0 exited with status 7"));
  EXPECT_EQ(row.at("launches"), "0");
}

INSTANTIATE_TEST_SUITE_P(Launchers, Faults, ::testing::Values("gloo", "mpi"),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace shardbench
