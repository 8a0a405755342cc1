#include "launch/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "launch/fault.hpp"
#include "launch/ranks.hpp"
#include "launch/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;
constexpr std::chrono::milliseconds long_enough{30000};

class ProcessTest : public ::testing::Test {
 protected:
  int status_of(const std::function<int()>& body) {
    Process process(0, log(), body);
    const auto status = process.wait(long_enough);
    EXPECT_TRUE(status.has_value());
    return status.value_or(-1);
  }
  std::filesystem::path log() const { return folder_.path() / "log"; }

  TemporaryFolder folder_;
};

TEST_F(ProcessTest, EndsWithWhatItsBodyReturns) {
  EXPECT_EQ(WEXITSTATUS(status_of([] { return 0; })), 0);
  EXPECT_EQ(WEXITSTATUS(status_of([] { return 42; })), 42);
}

TEST_F(ProcessTest, WritesToItsLogAndReadsNothing) {
  EXPECT_EQ(WEXITSTATUS(status_of([] {
              std::printf("to the log\n");
              std::fprintf(stderr, "this too\n");
              return std::getchar() == EOF ? 0 : 1;
            })),
            0);
  EXPECT_THAT(last_words(log()), HasSubstr("to the log"));
  EXPECT_THAT(last_words(log()), HasSubstr("this too"));
}

TEST_F(ProcessTest, AnExceptionIsWrittenDown) {
  EXPECT_EQ(WEXITSTATUS(status_of([]() -> int { throw std::runtime_error("it went wrong"); })), 125);
  EXPECT_EQ(last_words(log()), "it went wrong");
}

TEST_F(ProcessTest, AnExceptionOfAnyTypeIsWrittenDown) {
  EXPECT_EQ(WEXITSTATUS(status_of([]() -> int { throw 7; })), 125);
  EXPECT_EQ(last_words(log()), "an exception of type int");
}

// What the test's process has registered for its own end is not the child's to do.
TEST_F(ProcessTest, ExitRunsNoHandlersOfTheDriver) {
  static std::filesystem::path trace;
  trace = folder_.path() / "trace";
  std::atexit([] {
    std::error_code ignored;  // at the test's own end it is no folder
    std::filesystem::create_directory(trace, ignored);
  });
  EXPECT_EQ(WEXITSTATUS(status_of([]() -> int { std::exit(3); })), 3);
  EXPECT_FALSE(std::filesystem::exists(trace));
  trace.clear();
}

TEST_F(ProcessTest, ThatGoesOnGivesNoStatus) {
  Process process(0, log(), [] { return ::pause(); });
  EXPECT_EQ(process.wait(std::chrono::milliseconds(20)), std::nullopt);
  process.kill();
  const auto status = process.wait(long_enough);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(WTERMSIG(*status), SIGKILL);
}

TEST_F(ProcessTest, DiesWithItsObjectAndNotWithTheOneItWasMovedFrom) {
  pid_t id = 0;
  {
    Process first(0, log(), [] { return ::pause(); });
    id = first.id();
    const Process second(std::move(first));
    EXPECT_EQ(second.id(), id);
    EXPECT_TRUE(testing::alive(id));
  }
  EXPECT_FALSE(testing::alive(id));
}

TEST(StatusText, NamesExitsAndSignals) {
  EXPECT_EQ(text_of_status(W_EXITCODE(3, 0)), "exited with status 3");
  EXPECT_EQ(text_of_status(W_EXITCODE(0, SIGSEGV)), "was killed by signal 11 (Segmentation fault)");
  EXPECT_EQ(text_of_status(W_EXITCODE(0, SIGKILL)), "was killed by signal 9 (Killed)");
}

}  // namespace
}  // namespace shardbench
