#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What a run of one tiny case writes to a terminal, with one environment variable set.
std::string on_terminal(const char* name, const char* value) {
  const testing::TemporaryFolder folder;
  const auto suite = testing::write_file(folder.path() / "tiny.toml", testing::tiny_suite + testing::ddp_case("one"));
  int terminal = -1;
  const pid_t program = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (program == 0) {
    ::unsetenv("NO_COLOR");
    ::setenv("TERM", "xterm", 1);
    ::setenv(name, value, 1);
    if (::chdir(folder.path().c_str()) == 0)
      ::execl(SHARDBENCH_PROGRAM, "shardbench", "run", suite.c_str(), "--out", "out", nullptr);
    ::_exit(127);
  }
  EXPECT_GT(program, 0);
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = ::read(terminal, part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  int status = 0;
  ::waitpid(program, &status, 0);
  ::close(terminal);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
  return text;
}

constexpr auto green = "\033[32m";
constexpr auto erase_line = "\r\033[K";

TEST(Terminal, HasALiveLineAndColour) {
  const std::string text = on_terminal("LANG", "C.UTF-8");
  EXPECT_THAT(text, HasSubstr(std::string(erase_line) +
                              "case 1 of 1: one/training/ddp/gloo/tiny/world=2/unit=root/adamw: audit"));
  EXPECT_THAT(text, HasSubstr(std::string("case 1 of 1: ") + green + "ok"));
}

TEST(Terminal, HasNoColourWhereTheUserWantsNone) {
  const std::string text = on_terminal("NO_COLOR", "1");
  EXPECT_THAT(text, HasSubstr("case 1 of 1: ok one/training"));
  EXPECT_THAT(text, Not(HasSubstr("\033[3")));
  EXPECT_THAT(text, HasSubstr(erase_line));  // the live line is no colour
}

TEST(Terminal, HasNoColourWhereItKnowsNone) { EXPECT_THAT(on_terminal("TERM", "dumb"), Not(HasSubstr("\033[3"))); }

}  // namespace
}  // namespace shardbench
