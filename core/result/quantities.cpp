#include "result/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "result/column_tables.hpp"

namespace shardbench {
namespace {

/// NaN counts as the largest, so that it is never hidden by the other ranks.
bool larger(const Cell& a, const Cell& b) {
  const auto x = number(a), y = number(b);
  if (!x) return false;
  if (!y || std::isnan(*x)) return true;
  return !std::isnan(*y) && *x > *y;
}

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

const std::vector<Column>& columns() {
  static const std::vector<Column> all = [] {
    std::vector<Column> joined = identity_columns();
    for (const auto& part : {memory_columns(), time_columns(), role_columns(), prediction_columns(),
                             collective_columns(), pipeline_columns(), heap_columns(), setting_columns()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

const Column* find_column(std::string_view name) {
  const auto& all = columns();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Column& c) { return c.name == name; });
  return it == all.end() ? nullptr : &*it;
}

Cell rank_cell(const Column& column, const Row& row) { return column.of_rank ? column.of_rank(row) : Cell{}; }

Cell case_cell(const Column& column, const Row& row) {
  if (column.of_case) return column.of_case(row);
  Cell largest;
  if (!row.result.has_report()) return largest;
  for (std::size_t rank = 0; rank < row.result.ranks().size(); ++rank) {
    Cell cell = rank_cell(column, {row.result, row.environment, 0, rank});
    if (larger(cell, largest)) largest = std::move(cell);
  }
  return largest;
}

std::string detail_line(const CaseResult& result) {
  if (!result.detail.empty()) return one_line(result.detail);
  for (const auto& outcome : result.invariants)
    if (outcome.verdict == Verdict::failed) return one_line(outcome.name + ": " + outcome.message);
  return {};
}

std::size_t count_of(const CaseResult& result, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(result.invariants.begin(), result.invariants.end(),
                                                [&](const auto& outcome) { return outcome.verdict == verdict; }));
}

}  // namespace shardbench
