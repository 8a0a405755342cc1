#include <fmt/format.h>
#include <algorithm>

#include "draw/horizon_chart.hpp"
#include "draw/svg_text.hpp"
#include "law/predict.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// The palette of Okabe and Ito ("Color Universal Design", 2008); after eight lines it begins again, dashed.
constexpr std::string_view colours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                        "#d55e00", "#56b4e9", "#8c8c8c", "#b8a800"};

constexpr std::string_view style_sheet = R"(
    text { font: 13px system-ui, "DejaVu Sans", sans-serif; }
    .title { font-size: 15px; font-weight: 600; }
    .page { fill: #ffffff; } .ink { fill: #1b1b1b; } .quiet { fill: #595959; } .grid { stroke: #dcdcdc; }
    polyline { fill: none; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #15171c; } .ink { fill: #f0f0f0; } .quiet { fill: #b4b4b4; } .grid { stroke: #3a3d45; }
    }
)";

// In pixels of the drawing.
constexpr double left = 96, top = 70, chart_width = 520, chart_height = 340, label_width = 220, line_height = 16;
constexpr int ticks = 5;

struct Scale {
  double longest, most;
  double x(int horizon) const { return left + chart_width * horizon / longest; }
  double y(double bytes) const { return top + chart_height * (1 - bytes / most); }
};

std::string text_at(double x, double y, std::string_view classes, std::string_view anchor, std::string_view text) {
  return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, classes,
                     anchor, svg_text(text));
}

std::string grid(const HorizonChart& chart, const Scale& scale) {
  std::string out;
  for (int i = 0; i <= ticks; ++i) {
    const double bytes = scale.most * i / ticks, y = scale.y(bytes);
    out += fmt::format("  <line x1=\"{0:.1f}\" y1=\"{2:.1f}\" x2=\"{1:.1f}\" y2=\"{2:.1f}\" class=\"grid\"/>\n", left,
                       left + chart_width, y);
    out += text_at(left - 8, y + 4, "quiet", "end", i == 0 ? "0" : bytes_text(static_cast<std::uint64_t>(bytes)));
  }
  std::vector<int> horizons;
  for (const auto& line : chart.lines)
    for (const auto& point : line.points) horizons.push_back(point.horizon);
  std::sort(horizons.begin(), horizons.end());
  horizons.erase(std::unique(horizons.begin(), horizons.end()), horizons.end());
  for (const int h : horizons)
    out += text_at(scale.x(h), top + chart_height + 20, "quiet", "middle", std::to_string(h));
  return out + text_at(left + chart_width / 2, top + chart_height + 42, "quiet", "middle", "horizon (microbatches)");
}

std::string line_of(const HorizonChart::Line& line, std::size_t index, const Scale& scale) {
  const std::string_view colour = colours[index % std::size(colours)];
  std::string points, marks;
  for (const auto& point : line.points) {
    const double x = scale.x(point.horizon), y = scale.y(static_cast<double>(point.bytes));
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    marks += fmt::format(
        "  <circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"><title>{}</title></circle>\n", x, y, colour,
        svg_text(fmt::format("{}, horizon {}: {} bytes", line.label, point.horizon, thousands(point.bytes))));
  }
  const std::string_view dash = index < std::size(colours) ? "" : " stroke-dasharray=\"6 4\"";
  return fmt::format("  <polyline points=\"{}\" stroke=\"{}\"{}/>\n", points, colour, dash) + marks;
}

/// The names at the ends of the lines, the highest first, moved down where they would cover each other.
std::string labels(const HorizonChart& chart, const Scale& scale) {
  std::vector<std::pair<double, std::size_t>> places;
  for (std::size_t i = 0; i < chart.lines.size(); ++i)
    places.emplace_back(scale.y(static_cast<double>(chart.lines[i].points.back().bytes)), i);
  std::sort(places.begin(), places.end());
  const double lowest = top + chart_height;
  for (std::size_t i = 1; i < places.size(); ++i)
    places[i].first = std::max(places[i].first, places[i - 1].first + line_height);
  const double over = places.back().first - lowest;
  std::string out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Those that were pushed below the chart push back those above them.
    const double bound = lowest - line_height * static_cast<double>(places.size() - 1 - i);
    const double y = over > 0 ? std::min(places[i].first, bound) : places[i].first;
    const std::size_t line = places[i].second;
    out += fmt::format("  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n",
                       left + chart_width + 14, y - 5, colours[line % std::size(colours)]);
    out += text_at(left + chart_width + 30, y + 4, "ink", "start", chart.lines[line].label);
  }
  return out;
}

}  // namespace

std::string horizon_svg(const HorizonChart& chart) {
  const Scale scale{static_cast<double>(chart.longest()), static_cast<double>(chart.most())};
  const double width = left + chart_width + label_width, height = top + chart_height + 60;
  const std::string title = "Activations against the horizon: " + chart.title;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title desc\">\n",
      width, height);
  out += fmt::format("  <title id=\"title\">{}</title>\n", svg_text(title));
  out +=
      "  <desc id=\"desc\">Most bytes of activations alive between two actions, on the rank that has most; one line "
      "for each schedule.</desc>\n";
  out += fmt::format("  <style>{}  </style>\n", style_sheet);
  out += fmt::format("  <rect width=\"{:.0f}\" height=\"{:.0f}\" class=\"page\"/>\n", width, height);
  out += text_at(20, 28, "ink title", "start", title);
  out += text_at(20, 50, "quiet", "start", "most bytes alive between two actions, on the rank that has most");
  out += grid(chart, scale);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) out += line_of(chart.lines[i], i, scale);
  return out + labels(chart, scale) + "</svg>\n";
}

}  // namespace shardbench
