#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;

class List : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
};

TEST_F(List, NamesPluginsTheirFilesAndTheModels) {
  const Ended ended = testing::run_program({"list"}, folder_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  for (const char* file : {"comm_gloo.so", "strategy_ddp.so", "strategy_zero1.so", "strategy_zero2.so",
                           "strategy_zero3.so", "schedule_gpipe.so", "schedule_1f1b.so"})
    EXPECT_THAT(ended.out, HasSubstr(file));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("options: partition = greedy | flat"), HasSubstr("models\n  mlp"),
                               Not(HasSubstr("refused"))));
}

TEST_F(List, NamesTheSuitesThatAreThere) {
  std::filesystem::create_directory_symlink(SHARDBENCH_SUITES, folder_.path() / "suites");
  const Ended ended = testing::run_program({"list"}, folder_.path());
  EXPECT_THAT(ended.out, AllOf(HasSubstr("notebook-3.13 "), HasSubstr("24 cases, suites/notebook-3.13.toml")));
}

TEST_F(List, ShowsWhatIsRefusedAndWhy) {
  testing::write_file(folder_.path() / "strategy_broken.so", "this is text");
  const Ended ended = testing::run_program({"list"}, folder_.path(), {{"SHARDBENCH_PLUGIN_PATH", folder_.path()}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto refused = ended.out.find("refused\n");
  ASSERT_NE(refused, std::string::npos) << ended.out;
  EXPECT_THAT(ended.out.substr(refused), HasSubstr((folder_.path() / "strategy_broken.so").string()));
}

TEST_F(List, APluginNamedByTheUserThatIsRefusedIsAnError) {
  const auto file = testing::write_file(folder_.path() / "broken.so", "this is text");
  const Ended ended = testing::run_program({"list", "--plugin", file}, folder_.path());
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr(file.string()));
}

// The dynamic linker tells every file that it opens, the driver's on its standard error: plugins are loaded in a
// process of their own.
TEST_F(List, AndCheckLoadNeitherLibTorchNorPlugins) {
  const std::vector<std::vector<std::string>> commands = {{"list"},
                                                          {"check", SHARDBENCH_SUITES "/notebook-3.13.toml"},
                                                          {"run", SHARDBENCH_SUITES "/smoke.toml", "--dry-run"}};
  for (const auto& command : commands) {
    const Ended ended = testing::run_program(command, folder_.path(), {{"LD_DEBUG", "files"}});
    EXPECT_EQ(ended.status, 0);
    EXPECT_THAT(ended.err, HasSubstr("libstdc++.so"));
    EXPECT_THAT(ended.err, Not(HasSubstr("libtorch"))) << command[0];
    EXPECT_THAT(ended.err, Not(HasSubstr("libshardbench_rank"))) << command[0];
    EXPECT_THAT(ended.err, Not(HasSubstr("comm_gloo.so"))) << command[0];
    EXPECT_THAT(ended.err, Not(HasSubstr("schedule_"))) << command[0];
  }
}

}  // namespace
}  // namespace shardbench
