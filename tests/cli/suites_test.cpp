#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// What is decided before anything runs.
class Suites : public ::testing::Test {
 protected:
  Ended run(const std::vector<std::string>& words) { return testing::run_program(words, folder_.path()); }
  std::string suite(const std::string& text) { return testing::write_file(folder_.path() / "a.toml", text); }
  bool ran() const { return fs::exists(folder_.path() / "results") || fs::exists(folder_.path() / "out"); }
  testing::TemporaryFolder folder_;
};

TEST_F(Suites, AGoodOneIsValid) {
  const Ended ended = run({"check", SHARDBENCH_SUITES "/notebook-3.13.toml"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, ::testing::ContainsRegex("24 cases, [0-9]+ expected numbers: valid"));
  EXPECT_FALSE(ran());
}

TEST_F(Suites, ABadOneIsRefusedByCheckAndRunAndNothingRuns) {
  const auto file = suite(testing::tiny_suite + "\n[[training]]\nstrategy = \"zero9\"\nwrold = 2\n");
  for (const char* command : {"check", "run"}) {
    const Ended ended = run({command, file});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("a.toml:14:12"), HasSubstr("zero9"), HasSubstr("a.toml:15:1"),
                                 HasSubstr("wrold"), HasSubstr("world")));
    EXPECT_FALSE(ran());
  }
}

TEST_F(Suites, OneThatIsNotThereIsRefused) {
  const Ended ended = run({"run", "nowhere.toml"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("nowhere.toml"));
  EXPECT_FALSE(ran());
}

TEST_F(Suites, TwoWithTheSameCaseAreRefused) {
  const auto one = suite(testing::tiny_suite + testing::ddp_case("same"));
  const Ended ended = run({"run", one, one});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err,
              HasSubstr("case 'same/training/ddp/gloo/tiny/world=2/unit=root/adamw' is in two of the suites"));
}

TEST_F(Suites, ADryRunPrintsTheCasesAndRunsNone) {
  const Ended ended = run({"run", SHARDBENCH_SUITES "/smoke.toml", "--dry-run", "--out", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 10);
  EXPECT_THAT(ended.out, ::testing::StartsWith("training/ddp/gloo/odd/world=2/unit=root/adamw\n"));
  EXPECT_FALSE(ran());
}

TEST_F(Suites, FiltersSearchInIds) {
  const std::string smoke = SHARDBENCH_SUITES "/smoke.toml";
  const std::string two =
      "training/zero2/gloo/odd/world=2/unit=layer/adamw\ntraining/zero3/gloo/odd/world=2/unit=layer/adamw\n";
  EXPECT_EQ(run({"run", smoke, "--dry-run", "--filter", "zero[23].*layer"}).out, two);
  EXPECT_EQ(run({"run", smoke, "--dry-run", "--benchmark_filter=zero[23].*layer"}).out, two);
  EXPECT_EQ(run({"run", smoke, "--dry-run", "--filter", "layer", "--benchmark_filter=-ddp|zero1"}).out, two);
  EXPECT_EQ(run({"run", smoke, "--benchmark_list_tests", "--filter", "zero[23].*layer"}).out, two);
}

TEST_F(Suites, AFilterThatLeavesNothingIsExitFive) {
  const Ended ended = run({"run", SHARDBENCH_SUITES "/smoke.toml", "--filter", "no such case"});
  EXPECT_EQ(ended.status, 5);
  EXPECT_THAT(ended.err, HasSubstr("no such case"));
  EXPECT_FALSE(ran());
}

TEST_F(Suites, AnOutputFolderThatCannotBeMadeIsRefusedBeforeAnythingRuns) {
  testing::write_file(folder_.path() / "file", "");
  const Ended ended = run({"run", SHARDBENCH_SUITES "/smoke.toml", "--out", "file/below"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("file/below"));
}

}  // namespace
}  // namespace shardbench
