#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "draw/gantt.hpp"
#include "draw/svg_text.hpp"
#include "law/plan_text.hpp"
#include "result/text_table.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Shades of the palette of Okabe and Ito ("Color Universal Design", 2008), all light enough for dark text; the second
/// of a pair is for every second stage of a rank.
constexpr std::string_view style_sheet = R"(
    text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #111; }
    .box { font-size: 10px; text-anchor: middle; }
    .title { font-size: 15px; font-weight: 600; }
    .page { fill: #fff; } .ink { fill: #1b1b1b; } .quiet { fill: #595959; } .grid { stroke: #dcdcdc; }
    .lane { fill: #f0f0f0; }
    .F { fill: #9fd0f2; } .F2 { fill: #56a5dc; } .B { fill: #8fd9bf; } .B2 { fill: #45b08b; }
    .I { fill: #f6cf7a; } .I2 { fill: #e0a530; } .W { fill: #eac0d7; } .W2 { fill: #cc8bb1; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #15171c; } .ink { fill: #f0f0f0; } .quiet { fill: #b4b4b4; } .grid { stroke: #3a3d45; }
      .lane { fill: #24272e; }
    }
)";

constexpr std::size_t most_boxes = 50'000;
constexpr double margin = 16, lane_height = 20, lane_step = 24, note_width = 140, chart_width = 900;
constexpr double widest_unit = 18, narrowest_text = 11, character = 7.5;
constexpr std::array<std::string_view, 4> kinds{"forward", "whole backward", "gradient of the input",
                                                "gradient of the weights"};

std::string class_of(const Gantt::Box& box) {
  return std::string(name_of(box.action.kind)) + (box.second_chunk ? "2" : "");
}

struct Layout {
  double left, scale, width;

  explicit Layout(const Gantt& gantt) {
    std::size_t longest = 0;
    for (const auto& part : gantt.parts)
      for (const auto& row : part.rows) longest = std::max(longest, display_width(row.label));
    const double end = gantt.end() > 0 ? gantt.end() : 1;
    left = margin + character * static_cast<double>(longest) + 8;
    scale = std::min(widest_unit, chart_width / end);
    if (end < 1) scale = chart_width / end;  // seconds, not units
    width = std::max(left + scale * end + note_width + margin, 620.0);
  }
};

std::string text_at(double x, double y, std::string_view classes, std::string_view text) {
  return fmt::format("  <text x=\"{:.4g}\" y=\"{:.4g}\" class=\"{}\">{}</text>\n", x, y, classes, svg_text(text));
}

/// A row in coordinates of its own: only x differs between boxes.
std::string lane(const Gantt::Row& row, double y, const Layout& layout, double end) {
  std::string out =
      fmt::format("  <text x=\"{:.4g}\" y=\"{:.5g}\" class=\"ink\">{}</text>\n", margin, y + 14, svg_text(row.label));
  out += fmt::format(
      "  <g transform=\"translate({:.4g} {:.5g})\">\n  <rect class=\"lane\" width=\"{:.5g}\" height=\"{}\"/>\n",
      layout.left, y, end * layout.scale, lane_height);
  for (const auto& box : row.boxes) {
    const double x = box.begin * layout.scale, width = (box.end - box.begin) * layout.scale;
    out += fmt::format("<rect x=\"{:.5g}\" width=\"{:.4g}\" height=\"{}\" class=\"{}\"><title>{}</title></rect>", x,
                       std::max(width - 1, 0.3), lane_height, class_of(box), text(box.action));
    const std::string number = std::to_string(box.action.microbatch);
    if (width >= narrowest_text && width >= 6.5 * static_cast<double>(number.size()))
      out += fmt::format("<text x=\"{:.5g}\" y=\"14\" class=\"box\">{}</text>", x + width / 2, number);
    out += '\n';
  }
  return out + "  </g>\n" + text_at(layout.left + end * layout.scale + 8, y + 14, "quiet", row.note);
}

std::string legend(const Gantt& gantt, double y) {
  std::string out;
  double x = margin;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    bool first = false, second = false;
    for (const auto& part : gantt.parts)
      for (const auto& row : part.rows)
        for (const auto& box : row.boxes)
          if (static_cast<std::size_t>(box.action.kind) == k) (box.second_chunk ? second : first) = true;
    for (const bool chunk : {false, true}) {
      if (!(chunk ? second : first)) continue;
      out += fmt::format("  <rect x=\"{:.4g}\" y=\"{:.4g}\" width=\"12\" height=\"12\" class=\"{}{}\"/>\n", x, y - 10,
                         name_of(static_cast<ActionKind>(k)), chunk ? "2" : "");
      x += 14;
    }
    if (!first && !second) continue;
    const std::string words = fmt::format("{} {}", name_of(static_cast<ActionKind>(k)), kinds[k]);
    out += text_at(x + 4, y, "ink", words);
    x += 4 + 6.6 * static_cast<double>(words.size()) + 14;
  }
  return out;
}

}  // namespace

std::string gantt_svg(const Gantt& gantt) {
  if (gantt.boxes() > most_boxes)
    throw Error(fmt::format("the picture would have {} boxes, but {} are as many as a viewer can show", gantt.boxes(),
                            most_boxes),
                "--svg", "take fewer ranks or microbatches, or --trace");
  const Layout layout(gantt);
  const double end = gantt.end();
  std::string body;
  double y = 74;
  for (const auto& part : gantt.parts) {
    if (gantt.parts.size() > 1) {
      body += text_at(margin, y + 12, "ink", part.title);
      y += lane_step;
    }
    for (std::size_t r = 0; r < part.rows.size(); ++r) {
      if (part.left_out > 0 && r == part.rows.size() / 2) {
        body += text_at(margin, y + 14, "quiet", fmt::format("... {} ranks more", part.left_out));
        y += lane_step;
      }
      body += lane(part.rows[r], y, layout, end);
      y += lane_step;
    }
    y += 8;
  }
  body += legend(gantt, y + 12);
  const double height = y + 28;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title desc\">\n",
      layout.width, height);
  out += fmt::format("  <title id=\"title\">{}</title>\n", svg_text("What each rank does when: " + gantt.title));
  out += fmt::format("  <desc id=\"desc\">{}</desc>\n",
                     svg_text("One lane for each rank, a box for each action with its microbatch. " + gantt.subtitle));
  out += fmt::format("  <style>{}  </style>\n", style_sheet);
  out += fmt::format("  <rect width=\"{:.0f}\" height=\"{:.0f}\" class=\"page\"/>\n", layout.width, height);
  out += text_at(margin, 28, "ink title", gantt.title) + text_at(margin, 52, "quiet", gantt.subtitle);
  return out + body + "</svg>\n";
}

}  // namespace shardbench
