#include "simulate/cost_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

struct Kind {
  char letter;
  double StageCosts::*cost;
};
constexpr std::array<Kind, 3> kinds{
    {{'F', &StageCosts::forward}, {'B', &StageCosts::backward_input}, {'W', &StageCosts::backward_weight}}};

[[noreturn]] void refuse(std::string_view text, std::string_view part, const char* problem) {
  throw Error(fmt::format("'{}' {} '{}'", text, problem, part), "--cost",
              "write for example F=1,B=1.3,W=0.7, or F=1/1/2 with a number for each stage");
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double number(std::string_view text, std::string_view part) {
  double value = -1;
  const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (problem != std::errc{} || end != part.data() + part.size() || !std::isfinite(value) || value < 0)
    refuse(text, part, "has a cost that is no number of 0 or more:");
  return value;
}

}  // namespace

std::vector<StageCosts> parse_costs(std::string_view text) {
  std::vector<StageCosts> stages(1);
  if (text.empty()) return stages;
  std::array<bool, kinds.size()> given{};
  for (const std::string_view part : split(text, ',')) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) {
      return part.size() > 2 && part[0] == k.letter && part[1] == '=';
    });
    if (kind == kinds.end()) refuse(text, part, "has a part that is not F=, B= or W= and a number:");
    if (std::exchange(given[static_cast<std::size_t>(kind - kinds.begin())], true)) refuse(text, part, "gives twice");
    const auto numbers = split(part.substr(2), '/');
    if (numbers.size() > 1 && stages.size() == 1) stages.resize(numbers.size(), stages.front());
    if (numbers.size() > 1 && numbers.size() != stages.size()) refuse(text, part, "has another number of stages in");
    for (std::size_t s = 0; s < stages.size(); ++s)
      stages[s].*kind->cost = number(text, numbers[numbers.size() == 1 ? 0 : s]);
  }
  return stages;
}

std::string costs_text(const std::vector<StageCosts>& stages) {
  std::string text;
  for (const Kind& kind : kinds) {
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", kind.letter);
    const double first = stages.front().*kind.cost;
    const bool same =
        std::all_of(stages.begin(), stages.end(), [&](const StageCosts& s) { return s.*kind.cost == first; });
    for (std::size_t s = 0; s < (same ? 1 : stages.size()); ++s)
      text += fmt::format("{}{:g}", s == 0 ? "" : "/", stages[s].*kind.cost);
  }
  return text;
}

}  // namespace shardbench
