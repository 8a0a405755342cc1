#include "suite/suite_errors.hpp"

#include <fmt/format.h>

#include <utility>

namespace shardbench {
namespace {

Error summary(const std::string& file, const std::vector<Error>& problems) {
  if (problems.size() == 1) return problems.front();
  std::string text = fmt::format("{} has {} problems", file, problems.size());
  for (const auto& problem : problems) text += fmt::format("\n{}", problem.what());
  return Error(text);
}

}  // namespace

SuiteErrors::SuiteErrors(const std::string& file, std::vector<Error> problems)
    : Error(summary(file, problems)), problems_(std::move(problems)) {}

}  // namespace shardbench
