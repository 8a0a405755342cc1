#include "draw/horizon_chart.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "result/text_table.hpp"

namespace shardbench {
namespace {

constexpr std::size_t fewest_horizons = 3;
constexpr std::size_t bar_width = 40;  // characters

std::uint64_t activations(const CaseResult& result) {
  std::uint64_t most = 0;
  for (const RankReport& r : result.ranks()) most = std::max(most, r.activations_bytes);
  return most;
}

std::string title_of(const Case& spec) {
  const std::string study = spec.study.empty() ? "" : spec.study + ", ";
  return fmt::format("{}{}, world {}, {}", study, spec.model.name, spec.world, spec.backend);
}

std::string label_of(const Case& spec) {
  const std::string options = spec.options_text();
  return options.empty() ? spec.schedule : spec.schedule + " " + options;
}

HorizonChart::Line& line_of(HorizonChart& chart, const std::string& label) {
  const auto known =
      std::find_if(chart.lines.begin(), chart.lines.end(), [&](const auto& line) { return line.label == label; });
  return known != chart.lines.end() ? *known : chart.lines.emplace_back(HorizonChart::Line{label, {}});
}

}  // namespace

int HorizonChart::longest() const {
  int longest = 1;
  for (const Line& line : lines)
    for (const Point& point : line.points) longest = std::max(longest, point.horizon);
  return longest;
}

std::uint64_t HorizonChart::most() const {
  std::uint64_t most = 1;
  for (const Line& line : lines)
    for (const Point& point : line.points) most = std::max(most, point.bytes);
  return most;
}

std::vector<HorizonChart> horizon_charts(const std::vector<CaseResult>& results) {
  std::vector<HorizonChart> charts;
  for (const CaseResult& result : results) {
    if (result.spec.program != Program::pipeline || !result.has_report()) continue;
    const std::string title = title_of(result.spec);
    auto chart = std::find_if(charts.begin(), charts.end(), [&](const auto& c) { return c.title == title; });
    if (chart == charts.end()) chart = charts.insert(charts.end(), {title, {}});
    line_of(*chart, label_of(result.spec)).points.push_back({result.spec.horizon, activations(result)});
  }
  for (HorizonChart& chart : charts) {
    std::erase_if(chart.lines, [](const auto& line) { return line.points.size() < fewest_horizons; });
    for (auto& line : chart.lines)
      std::sort(line.points.begin(), line.points.end(), [](auto& a, auto& b) { return a.horizon < b.horizon; });
  }
  std::erase_if(charts, [](const HorizonChart& chart) { return chart.lines.empty(); });
  return charts;
}

std::string horizon_text(const HorizonChart& chart, bool unicode) {
  std::string text =
      fmt::format("Activations against the horizon: most bytes alive between two actions, {}\n", chart.title);
  std::size_t widest = 0;
  for (const auto& line : chart.lines) widest = std::max(widest, display_width(line.label));
  for (const auto& line : chart.lines) {
    std::string label = line.label;
    for (const auto& point : line.points) {
      const auto cells = static_cast<std::size_t>(
          std::max<std::uint64_t>(1, (point.bytes * bar_width + chart.most() / 2) / chart.most()));
      std::string bar;
      for (std::size_t i = 0; i < cells; ++i) bar += unicode ? "█" : "#";
      text += fmt::format("  {:{}}  m = {:<5} {:>12}  {}\n", label, widest, point.horizon, thousands(point.bytes), bar);
      label.clear();
    }
  }
  return text;
}

}  // namespace shardbench
