#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "result/parameter_count.hpp"
#include "result/table_parts.hpp"
#include "result/text_table.hpp"
#include "shardbench/dtype.hpp"

namespace shardbench {
namespace {

/// Total at rest over the bytes of one set of parameters: ddp with AdamW is 4.00 P.
std::string multiples_of_parameters(const CaseResult& result) {
  const std::uint64_t one_set = size_of(result.spec.dtype) * parameter_count(result.spec.model);
  const std::string total = plain(result, "total_bytes");
  if (total.empty() || one_set == 0) return "-";
  return fmt::format("{:.2f} P", std::stod(total) / static_cast<double>(one_set));
}

}  // namespace

std::string at_rest_table(const Group& group, TextStyle style) {
  TextTable table({{.name = "strategy", .align = Align::left},
                   {.name = "world"},
                   {.name = "unit", .align = Align::left},
                   {.name = "options", .align = Align::left, .hide_if_empty = true},
                   {.name = "backend", .align = Align::left, .hide_if_same = true},
                   {.name = "optimizer", .align = Align::left, .hide_if_same = true},
                   {.name = "dtype", .align = Align::left, .hide_if_same = true},
                   {.name = "weights"},
                   {.name = "gradients"},
                   {.name = "optimizer state"},
                   {.name = "total"},
                   {.name = "in multiples of P"},
                   {.name = "predicted total"},
                   {.name = "peak"},
                   {.name = "predicted peak"},
                   {.name = "sent per step"},
                   {.name = "status", .align = Align::left, .hide_if_empty = true}});
  for (const auto* result : group.cases)
    table.add({plain(*result, "strategy"), plain(*result, "world"), plain(*result, "unit"), plain(*result, "options"),
               plain(*result, "backend"), plain(*result, "optimizer"), plain(*result, "dtype"),
               shown(*result, "weights_bytes"), shown(*result, "gradients_bytes"), shown(*result, "optimizer_bytes"),
               shown(*result, "total_bytes"), multiples_of_parameters(*result), shown(*result, "predicted_total_bytes"),
               shown(*result, "peak_bytes"), shown(*result, "predicted_peak_bytes"), shown(*result, "sent_bytes"),
               shown_status(*result)},
              is_bad(*result));
  return table.text(style);
}

std::string machine_table(const Group& group, TextStyle style) {
  constexpr const char* identity[] = {"strategy", "unit", "options", "backend", "optimizer", "dtype"};
  struct Line {
    std::vector<std::string> key;
    std::map<int, const CaseResult*> by_world;
  };
  std::set<int> worlds;
  std::vector<Line> lines;
  for (const auto* result : group.cases) {
    const int world = result->spec.world;
    worlds.insert(world);
    std::vector<std::string> key;
    for (const char* column : identity) key.push_back(plain(*result, column));
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& l) { return l.key == key && !l.by_world.count(world); });
    if (line == lines.end()) line = lines.insert(lines.end(), Line{std::move(key), {}});
    line->by_world[world] = result;
  }
  if (worlds.size() < 2) return {};
  std::vector<TextTable::Heading> headings;
  for (const char* column : identity)
    headings.push_back({.name = column,
                        .align = Align::left,
                        .hide_if_empty = std::string_view(column) == "options",
                        .hide_if_same = headings.size() > 2});
  for (const int world : worlds) headings.push_back({.name = fmt::format("world {}", world)});
  TextTable table(std::move(headings));
  for (const auto& line : lines) {
    std::vector<std::string> cells = line.key;
    bool bad = false;
    for (const int world : worlds) {
      const auto it = line.by_world.find(world);
      cells.push_back(it == line.by_world.end() ? "-" : shown(*it->second, "machine_total_bytes"));
      bad = bad || (it != line.by_world.end() && is_bad(*it->second));
    }
    table.add(std::move(cells), bad);
  }
  return table.text(style);
}

}  // namespace shardbench
