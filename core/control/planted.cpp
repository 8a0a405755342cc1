#include "control/planted.hpp"

#include <charconv>

#include <fmt/format.h>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// The whole text as a number from `least` to `most`.
template <class Number>
bool read(std::string_view text, Number least, Number most, Number& number) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size() && number >= least && number <= most;
}

}  // namespace

std::string text(const Planted& planted) {
  std::string words;
  if (planted.slowdown > 0) words = fmt::format("slowdown={}", planted.slowdown);
  if (planted.bytes > 0) words += fmt::format("{}bytes={}", words.empty() ? "" : ",", planted.bytes);
  return words;
}

void plant(const std::string& what, Planted& planted) {
  constexpr std::string_view slowdown = "slowdown=", bytes = "bytes=";
  const std::string_view words = what;
  if (words.starts_with(slowdown) && read(words.substr(slowdown.size()), 0.0, 100.0, planted.slowdown)) return;
  if (words.starts_with(bytes) &&
      read(words.substr(bytes.size()), std::uint64_t{0}, std::uint64_t{1} << 30U, planted.bytes))
    return;
  throw Error("'" + what + "' cannot be planted", "--inject", "say slowdown=0.25 (a share of the step) or bytes=1");
}

}  // namespace shardbench
