#pragma once
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "law/plan_text.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench::testing {

/// "1SEND_F0" -> the action.
inline Action action_of(const std::string& word) {
  std::size_t kind_begin = 0;
  const int stage = std::stoi(word, &kind_begin);
  const auto kind_end = word.find_last_not_of("-0123456789") + 1;
  const std::string name = word.substr(kind_begin, kind_end - kind_begin);
  for (int kind = 0; kind < 8; ++kind)
    if (name_of(static_cast<ActionKind>(kind)) == name)
      return {static_cast<ActionKind>(kind), stage, std::stoi(word.substr(kind_end))};
  throw std::invalid_argument("no action: " + word);
}

/// A plan with stage s on rank placement[s], one text of actions per rank.
inline Plan plan_of(std::vector<int> placement, std::initializer_list<std::string> rows) {
  Plan plan{std::move(placement), {}};
  for (const std::string& row : rows) {
    auto& rank = plan.ranks.emplace_back();
    std::istringstream words(row);
    for (std::string word; words >> word;) rank.actions.push_back(action_of(word));
  }
  return plan;
}

/// The rows of a plan again.
inline std::vector<std::string> rows_of(const Plan& plan) {
  std::vector<std::string> rows;
  for (const RankPlan& rank : plan.ranks) {
    auto& row = rows.emplace_back();
    for (const Action& a : rank.actions) row.append(row.empty() ? "" : " ").append(text(a));
  }
  return rows;
}

}  // namespace shardbench::testing
