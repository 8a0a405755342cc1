#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Arguments : public ::testing::Test {
 protected:
  Ended run(const std::vector<std::string>& words) { return testing::run_program(words, folder_.path()); }
  testing::TemporaryFolder folder_;
};

TEST_F(Arguments, HelpShowsCommandsAndExamples) {
  const Ended ended = run({"--help"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, IsEmpty());
  EXPECT_THAT(ended.out, AllOf(HasSubstr("Examples:"), HasSubstr("shardbench run suites/notebook-3.13.toml"),
                               HasSubstr("list"), HasSubstr("check")));
}

TEST_F(Arguments, HelpOfRunTellsTheExitStatus) {
  const Ended ended = run({"run", "--help"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("--filter"), HasSubstr("--out"), HasSubstr("--dry-run"), HasSubstr("--plugin"),
                               HasSubstr("Exit status: 0 all right, 1 an invariant failed, 2 bad usage or suite")));
}

TEST_F(Arguments, VersionNamesTheLibraries) {
  const Ended ended = run({"--version"});
  EXPECT_EQ(ended.status, 0);
  for (const char* library : {"shardbench ", "compiler ", "LibTorch ", "Google Benchmark ", "Boost ", "toml[+][+] ",
                              "CLI11 ", "nlohmann-json ", "fmt "})
    EXPECT_THAT(ended.out, ::testing::ContainsRegex(std::string(library) + "[^\n]*[0-9]"));
}

TEST_F(Arguments, WrongOnesAreUsageErrors) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"start"}, {"run"}, {"run", "--out"}, {"run", "a.toml", "--fast"}, {"check"}}) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2) << ::testing::PrintToString(words);
    EXPECT_THAT(ended.err, Not(IsEmpty()));
  }
}

TEST_F(Arguments, GoogleBenchmarksUnknownFlagIsAUsageError) {
  const Ended ended = run({"run", SHARDBENCH_SUITES "/smoke.toml", "--benchmark_fast=1"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--benchmark_fast=1"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "results"));
}

TEST_F(Arguments, ABadFilterIsAUsageError) {
  const Ended ended = run({"run", SHARDBENCH_SUITES "/smoke.toml", "--filter", "zero["});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("'zero[' is not a regular expression"), HasSubstr("--filter")));
}

}  // namespace
}  // namespace shardbench
