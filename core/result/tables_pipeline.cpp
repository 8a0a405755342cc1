#include <fmt/format.h>
#include <algorithm>
#include <stdexcept>

#include "result/quantities.hpp"
#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// More ranks than this are summed up as "4 to 10": a line must stay readable.
constexpr std::size_t ranks_spelled_out = 8;

/// A column of ranks.csv for all ranks: "4 / 10".
std::string by_rank(const CaseResult& result, std::string_view name) {
  if (!result.has_report()) return "-";
  const Column* column = find_column(name);
  if (column == nullptr) throw std::logic_error("no column " + std::string(name));
  std::vector<std::uint64_t> values;
  for (std::size_t rank = 0; rank < result.ranks().size(); ++rank) {
    const Cell cell = rank_cell(*column, {.result = result, .rank = rank});
    if (!std::holds_alternative<std::uint64_t>(cell)) return "-";
    values.push_back(std::get<std::uint64_t>(cell));
  }
  if (values.size() > ranks_spelled_out) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{} to {}", thousands(*least), thousands(*most));
  }
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : " / ") + thousands(value);
  return text;
}

/// In flight until W, where the schedule splits backward.
std::string until_weight(const CaseResult& result) {
  const std::string until = by_rank(result, "in_flight_until_weight");
  return until == by_rank(result, "in_flight") ? std::string{} : until;
}

}  // namespace

std::string pipeline_table(const Group& group, TextStyle style) {
  TextTable table({{.name = "schedule", .align = Align::left},
                   {.name = "world"},
                   {.name = "horizon"},
                   {.name = "options", .align = Align::left, .hide_if_empty = true},
                   {.name = "backend", .align = Align::left, .hide_if_same = true},
                   {.name = "optimizer", .align = Align::left, .hide_if_same = true},
                   {.name = "dtype", .align = Align::left, .hide_if_same = true},
                   {.name = "batch", .hide_if_same = true},
                   {.name = "peak live"},
                   {.name = "peak bytes"},
                   {.name = "saved"},
                   {.name = "consumed"},
                   {.name = "saved before first use"},
                   {.name = "in flight"},
                   {.name = "until W", .hide_if_empty = true},
                   {.name = "activations bytes"},
                   {.name = "status", .align = Align::left, .hide_if_empty = true}});
  for (const auto* result : group.cases)
    table.add(
        {plain(*result, "schedule"), plain(*result, "world"), plain(*result, "horizon"), plain(*result, "options"),
         plain(*result, "backend"), plain(*result, "optimizer"), plain(*result, "dtype"), plain(*result, "batch"),
         by_rank(*result, "saved_peak"), by_rank(*result, "saved_peak_bytes"), by_rank(*result, "saved_total"),
         by_rank(*result, "saved_consumed"), by_rank(*result, "saved_before_first_use"), by_rank(*result, "in_flight"),
         until_weight(*result), by_rank(*result, "activations_bytes"), shown_status(*result)},
        is_bad(*result));
  return table.text(style);
}

}  // namespace shardbench
