#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace shardbench {

/// The one shape of every message for a person: PROBLEM (with both values) - where - what to do.
///
///     throw Error("world is 0, but at least 1 rank is needed", "suites/a.toml:7:9", "set world = 1 or more");
class Error : public std::runtime_error {
 public:
  explicit Error(std::string problem, std::string where = {}, std::string cure = {})
      : std::runtime_error(join(problem, where, cure)),
        problem_(std::move(problem)),
        where_(std::move(where)),
        cure_(std::move(cure)) {}

  const std::string& problem() const noexcept { return problem_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& cure() const noexcept { return cure_; }

 private:
  static std::string join(const std::string& problem, const std::string& where, const std::string& cure) {
    std::string text = problem;
    if (!where.empty()) text += "\n  where: " + where;
    if (!cure.empty()) text += "\n  what to do: " + cure;
    return text;
  }
  std::string problem_, where_, cure_;
};

}  // namespace shardbench
