#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using testing::contents;
using testing::Ended;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// A run that has finished its first case and whose two ranks are in the second, which takes for ever.
class EndlessRun : public ::testing::Test {
 protected:
  EndlessRun()
      : program_(
            {"run",
             testing::write_file(folder_.path() / "tiny.toml", testing::tiny_suite + testing::ddp_case("first") +
                                                                   testing::endless_case + testing::ddp_case("last")),
             "--out", "out"},
            folder_.path()) {
    for (int i = 0; i < 6000 && !(rows().size() == 1 && program_.processes().size() == 4); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(rows().size(), 1u);
    EXPECT_EQ(program_.processes().size(), 4u);  // the driver, the one that runs references, and two ranks
  }
  std::vector<testing::Row> rows() const {
    const fs::path file = folder_.path() / "out/results.csv";
    return fs::exists(file) ? testing::read_csv(file) : std::vector<testing::Row>();
  }

  testing::TemporaryFolder folder_;
  testing::Program program_;
};

TEST_F(EndlessRun, AnInterruptKeepsTheResultsOfFinishedCases) {
  ASSERT_EQ(::kill(program_.id(), SIGINT), 0);
  const Ended ended = program_.wait();
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(program_.processes().empty());
  ASSERT_EQ(rows().size(), 3u);
  EXPECT_EQ(rows()[0].at("status"), "ok");
  EXPECT_EQ(rows()[1].at("status"), "skipped");
  EXPECT_THAT(rows()[1].at("detail"), HasSubstr("interrupted"));
  EXPECT_EQ(rows()[2].at("status"), "skipped");
  EXPECT_TRUE(nlohmann::json::accept(contents(folder_.path() / "out/results.json")));
  EXPECT_THAT(contents(folder_.path() / "out/junit.xml"), HasSubstr("</testsuites>"));
}

TEST_F(EndlessRun, ARankKilledFromOutsideCostsOneRow) {
  pid_t rank = 0;
  for (const pid_t process : program_.processes())
    if (process != program_.id()) rank = process;
  ASSERT_GT(rank, 0);
  ASSERT_EQ(::kill(rank, SIGKILL), 0);
  const Ended ended = program_.wait();
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(program_.processes().empty());
  ASSERT_EQ(rows().size(), 3u);
  EXPECT_EQ(rows()[0].at("status"), "ok");
  EXPECT_EQ(rows()[1].at("status"), "crashed");
  EXPECT_THAT(rows()[1].at("detail"), ::testing::ContainsRegex("rank [01] was killed by signal 9 \\(Killed\\)"));
  EXPECT_EQ(rows()[2].at("status"), "ok");
}

TEST_F(EndlessRun, RanksEndWithADriverThatIsKilled) {
  ASSERT_EQ(::kill(program_.id(), SIGKILL), 0);
  EXPECT_EQ(program_.wait().status, 128 + SIGKILL);
  for (int i = 0; i < 6000 && !program_.processes().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(program_.processes().empty());
  EXPECT_EQ(rows().size(), 1u);
}

}  // namespace
}  // namespace shardbench
