#include "cli/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "result/quantities.hpp"

namespace shardbench {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

bool colour_wanted(int descriptor) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(descriptor) == 1 && (none == nullptr || *none == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

Progress::Progress(std::size_t cases)
    : cases_(cases), live_(::isatty(STDERR_FILENO) == 1), colour_(colour_wanted(STDERR_FILENO)) {}

Progress::~Progress() { erase_line(); }

void Progress::erase_line() {
  if (!line_shown_) return;
  std::fputs("\r\033[K", stderr);
  line_shown_ = false;
}

void Progress::doing(std::size_t number, const std::string& id, const std::string& what) {
  if (!live_) return;
  std::string line = fmt::format("case {} of {}: {}: {}", number, cases_, id, what);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  line_shown_ = true;
}

void Progress::done(std::size_t number, const CaseResult& result) {
  erase_line();
  const bool good = result.status == Status::ok;
  const auto [on, off] = colour_ ? std::pair(good ? "\033[32m" : "\033[31m", "\033[0m") : std::pair("", "");
  fmt::print(stderr, "case {} of {}: {}{}{} {}", number, cases_, on, name_of(result.status), off, result.spec.id);
  if (good)
    fmt::print(stderr, " ({:.2f} s)\n", result.wall_s);
  else
    fmt::print(stderr, ": {}\n", detail_line(result));
}

}  // namespace shardbench
