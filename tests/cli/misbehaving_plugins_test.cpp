#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Row;
namespace fs = std::filesystem;

/// What plugins of tests/host and tests/faults do to the driver.
class MisbehavingPlugins : public ::testing::Test {
 protected:
  static std::string plugin(const std::string& name) { return std::string(FIXTURES) + "/" + name + ".so"; }

  /// Cases of good schedules around one of the bad schedule with these options.
  fs::path suite(const std::string& options, const std::string& more = {}) {
    const auto pipeline = [](const std::string& name, const std::string& rest) {
      return "\n[[pipeline]]\nname = \"" + name + "\"\nhorizon = 2\n" + rest;
    };
    return testing::write_file(folder_.path() / "bad.toml",
                               testing::tiny_suite + "[plugins]\npath = [\"" + plugin("schedule_bad") + "\"]\n" +
                                   pipeline("before", "schedule = \"gpipe\"\n") +
                                   pipeline("between", "schedule = \"bad\"\noptions = { " + options + " }\n" + more) +
                                   pipeline("after", "schedule = \"1f1b\"\n"));
  }

  /// Runs it and gives the row of the bad one; the others are ok.
  Row bad_row(const fs::path& suite) {
    const Ended ended = run({"run", suite, "--out", "out"});
    EXPECT_EQ(ended.status, 4) << ended.err;
    Row bad;
    for (const Row& row : testing::read_csv(folder_.path() / "out/results.csv")) {
      if (row.at("case").starts_with("between/"))
        bad = row;
      else
        EXPECT_EQ(row.at("status"), "ok") << row.at("detail");
    }
    return bad;
  }

  Ended run(const std::vector<std::string>& words) { return testing::run_program(words, folder_.path()); }
  testing::TemporaryFolder folder_;
};

TEST_F(MisbehavingPlugins, AScheduleCostsItsOwnCases) {
  Row row = bad_row(suite("plan = \"segv\""));
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_EQ(row.at("detail"),
            "schedule 'bad' was killed by signal 11 (Segmentation fault) in its plan (" + plugin("schedule_bad") + ")");
  EXPECT_EQ(row.at("unoptimized_plugins"), "");
  row = bad_row(suite("law = \"exit\""));
  EXPECT_THAT(row.at("detail"), HasSubstr("schedule 'bad' exited with status 0 in its law"));
  row = bad_row(suite("plan = \"stage\""));
  EXPECT_EQ(row.at("status"), "crashed");
  EXPECT_THAT(row.at("detail"), HasSubstr("schedule 'bad' gives a wrong plan or law: rank 0: -2147483648F0"));
}

TEST_F(MisbehavingPlugins, AScheduleThatHangsIsATimeout) {
  const Row row = bad_row(suite("plan = \"hang\"", "deadline_s = 1\n"));
  EXPECT_EQ(row.at("status"), "timeout");
  EXPECT_THAT(row.at("detail"), HasSubstr("schedule 'bad' did not come back within 1 s in its plan"));
}

TEST_F(MisbehavingPlugins, CheckAndPredictNameTheCase) {
  const fs::path bad = suite("plan = \"int\"");
  const Ended checked = run({"check", bad});
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.err, AllOf(HasSubstr("between/"), HasSubstr("schedule 'bad' threw an exception of type int in")));
  const Ended predicted = run({"predict", bad});
  EXPECT_EQ(predicted.status, 4);
  EXPECT_THAT(predicted.err, HasSubstr("schedule 'bad' threw an exception of type int in its plan"));
  EXPECT_THAT(predicted.out, AllOf(HasSubstr("before/"), HasSubstr("after/"), Not(HasSubstr("between/"))));
}

TEST_F(MisbehavingPlugins, APipelinesOwnConditionsAreTheSuitesFault) {
  const Ended ended = run({"run", suite("plan = \"error\""), "--out", "out"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("this size is odd"), HasSubstr("bad.toml:")));
  EXPECT_FALSE(fs::exists(folder_.path() / "out"));
}

TEST_F(MisbehavingPlugins, PredictTellsOfALawThatThrowsOrCrashes) {
  const auto training = [](const std::string& name, const std::string& fault) {
    return "\n[[training]]\nname = \"" + name + "\"\nstrategy = \"faulty\"\noptions = { fault = \"" + fault + "\" }\n";
  };
  const fs::path file = testing::write_file(folder_.path() / "laws.toml",
                                            testing::tiny_suite + "[plugins]\npath = [\"" + plugin("strategy_faulty") +
                                                "\"]\n" + testing::ddp_case("good") + training("throws", "law_throws") +
                                                training("crashes", "law_crashes") + training("below", "law_negative"));
  const Ended ended = run({"predict", file});
  EXPECT_EQ(ended.status, 4);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("good/"), Not(HasSubstr("throws/"))));
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("strategy 'faulty' threw shardbench::testing::OwnException: of my own in its law"),
                    HasSubstr("strategy 'faulty' was killed by signal 11 (Segmentation fault) in its law"),
                    HasSubstr("strategy 'faulty' gives a wrong law: its law for rank 0 claims 18446744073709551615")));
}

TEST_F(MisbehavingPlugins, SimulateAndExportEndWithTheReason) {
  for (std::vector<std::string> words : {std::vector<std::string>{"simulate", "--schedule", "bad"},
                                         std::vector<std::string>{"schedule", "export", "bad"}}) {
    for (const char* more : {"--ranks", "2", "--microbatches", "3", "--plugin"}) words.emplace_back(more);
    words.push_back(plugin("schedule_bad"));
    words.insert(words.end(), {"--option", "law=abort"});
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("schedule 'bad' was killed by signal 6 (Aborted) in its law"),
                                 HasSubstr(plugin("schedule_bad"))));
  }
}

TEST_F(MisbehavingPlugins, ListShowsThemAndTheOthers) {
  const Ended ended =
      testing::run_program({"list"}, folder_.path(),
                           {{"SHARDBENCH_PLUGIN_PATH", plugin("schedule_bad_exit") + ":" + plugin("schedule_right")}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("schedule_right.so"), HasSubstr("schedule_gpipe.so"),
                               HasSubstr("schedule 'bad' exited with status 0 in its static initializers")));
}

TEST_F(MisbehavingPlugins, ListNamesEveryReasonOfAFileThatTheUserNames) {
  const Ended ended = run({"list", "--plugin", plugin("schedule_several"), "--plugin", plugin("schedule_abi")});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, AllOf(HasSubstr("its compiler is 'xxx'"), HasSubstr("its name is 'Right-1'"),
                               HasSubstr("its options are 'order', but 'order' has no '='"),
                               HasSubstr("its abi is 999"), HasSubstr("schedule_gpipe.so")));
  EXPECT_THAT(ended.err, AllOf(HasSubstr(plugin("schedule_several")), HasSubstr(plugin("schedule_abi"))));
}

TEST_F(MisbehavingPlugins, AnUnoptimizedPluginIsNamed) {
  const Ended listed = run({"list", "--plugin", plugin("schedule_unoptimized")});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("compiled without optimization: its times mean little"));
  const fs::path file = testing::write_file(
      folder_.path() / "slow.toml", testing::tiny_suite + "[plugins]\npath = [\"" + plugin("schedule_unoptimized") +
                                        "\"]\n\n[[pipeline]]\nschedule = \"right\"\nhorizon = 2\n");
  const Ended ended = run({"run", file, "--out", "out"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("Compiled without optimization, so the times of their cases are not to be compared: "
                                   "schedule right\n"));
  EXPECT_EQ(testing::read_csv(folder_.path() / "out/results.csv").at(0).at("unoptimized_plugins"), "schedule right");
}

}  // namespace
}  // namespace shardbench
