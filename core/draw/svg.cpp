#include "draw/svg.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "draw/svg_text.hpp"
#include "law/predict.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// Colours of the roles: the palette of Okabe and Ito ("Color Universal Design", 2008), lighter on a dark background.
constexpr std::string_view style_sheet = R"(
    text { font: 13px system-ui, "DejaVu Sans", sans-serif; }
    .title { font-size: 15px; font-weight: 600; }
    .page { fill: #ffffff; } .ink { fill: #1b1b1b; } .quiet { fill: #595959; } .peak { font-weight: 600; }
    .grid { stroke: #dcdcdc; } .law { stroke: #1b1b1b; stroke-width: 1.5; stroke-dasharray: 5 3; }
    .role { stroke: #ffffff; stroke-width: 0.75; }
    .weights { fill: #0072b2; } .gradients { fill: #e69f00; } .optimizer { fill: #009e73; }
    .activations { fill: #cc79a7; } .communication { fill: #d55e00; } .temporary { fill: #8c8c8c; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #15171c; } .ink { fill: #f0f0f0; } .quiet { fill: #b4b4b4; }
      .grid { stroke: #3a3d45; } .law { stroke: #f0f0f0; } .role { stroke: #15171c; }
      .weights { fill: #4aa8e0; } .gradients { fill: #f2b84b; } .optimizer { fill: #2fc49a; }
      .activations { fill: #e3a6c7; } .communication { fill: #f2803c; } .temporary { fill: #a6a6a6; }
    }
)";

// In pixels of the drawing.
constexpr double margin = 20, bar_height = 18, row_height = 24, chart_width = 620, number_width = 130;
constexpr double legend_top = 84, chart_top = 116, character = 8;

struct Layout {
  double label_width, left, bottom, width, height;
  std::uint64_t scale;

  explicit Layout(const StepPicture& picture) : scale(picture.scale()) {
    std::size_t longest = 8;
    for (const auto& bar : picture.bars) longest = std::max(longest, display_width(bar.label));
    label_width = character * static_cast<double>(longest);
    left = margin + label_width + 10;
    bottom = chart_top + row_height * static_cast<double>(picture.bars.size());
    width = left + chart_width + number_width + margin;
    height = bottom + 40;
  }
  double x(std::uint64_t bytes) const {
    return left + chart_width * static_cast<double>(bytes) / static_cast<double>(scale);
  }
};

std::string text_at(double x, double y, std::string_view classes, std::string_view anchor, std::string_view text) {
  return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, classes,
                     anchor, svg_text(text));
}

std::string line_at(double x, double from, double to, std::string_view classes) {
  return fmt::format("  <line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" class=\"{3}\"/>\n", x, from,
                     to, classes);
}

/// 1, 2 or 5 times a power of ten, so that the scale has four to nine parts.
std::uint64_t tick_step(std::uint64_t scale) {
  std::uint64_t step = 1;
  for (std::uint64_t power = 1; power <= scale / 2; power *= 10)
    for (const std::uint64_t factor : {1U, 2U, 5U})
      if (scale / (power * factor) >= 4) step = power * factor;
  return step;
}

std::string grid(const Layout& layout) {
  std::string out;
  const std::uint64_t step = tick_step(layout.scale);
  for (std::uint64_t bytes = 0; bytes <= layout.scale; bytes += step) {
    out += line_at(layout.x(bytes), chart_top - 4, layout.bottom, "grid");
    out += text_at(layout.x(bytes), layout.bottom + 18, "quiet", "middle", bytes == 0 ? "0" : bytes_text(bytes));
  }
  return out;
}

std::string row(const StepPicture::Bar& bar, double y, const Layout& layout) {
  std::string out = fmt::format(
      "  <g>\n  <title>{}</title>\n",
      svg_text(fmt::format("{}: {} bytes ({})", bar.label, thousands(total(bar.bytes)), roles_sentence(bar.bytes))));
  const std::string_view ink = bar.peak ? "ink peak" : "ink";
  out += text_at(layout.left - 10, y + 13.5, ink, "end", bar.label);
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < role_count; ++r) {
    const double from = layout.x(sum), to = layout.x(sum += bar.bytes[r]);
    if (bar.bytes[r] == 0) continue;
    out += fmt::format("  <rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.0f}\" class=\"role {}\"/>\n",
                       from, y, to - from, bar_height, name_of(static_cast<Role>(r)));
  }
  out += text_at(layout.width - margin, y + 13.5, ink, "end", thousands(total(bar.bytes)) + (bar.peak ? " peak" : ""));
  return out + "  </g>\n";
}

std::string legend(const StepPicture& picture, const Layout& layout) {
  std::string out;
  double x = margin;
  for (std::size_t r = 0; r < role_count; ++r) {
    const bool shown =
        std::any_of(picture.bars.begin(), picture.bars.end(), [&](const auto& bar) { return bar.bytes[r] > 0; });
    if (!shown) continue;
    const std::string_view name = name_of(static_cast<Role>(r));
    out += fmt::format("  <rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" class=\"{}\"/>\n", x,
                       legend_top - 11, name);
    out += text_at(x + 17, legend_top, "ink", "start", name);
    x += 17 + character * static_cast<double>(name.size()) + 20;
  }
  if (picture.law)
    out += text_at(layout.x(*picture.law), chart_top - 10, "ink", "end", "the law: " + thousands(*picture.law));
  return out;
}

}  // namespace

std::string svg(const StepPicture& picture) {
  const Layout layout(picture);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-labelledby=\"title desc\">\n",
      layout.width, layout.height);
  out += fmt::format("  <title id=\"title\">{}</title>\n", svg_text("Bytes alive in one step: " + picture.title));
  out += fmt::format("  <desc id=\"desc\">{}</desc>\n",
                     svg_text(fmt::format("One stacked bar for each phase of the step, by role; {}. Alive then: {}.",
                                          peak_sentence(picture), roles_sentence(picture.at_peak))));
  out += fmt::format("  <style>{}  </style>\n", style_sheet);
  out += fmt::format("  <rect width=\"{:.0f}\" height=\"{:.0f}\" class=\"page\"/>\n", layout.width, layout.height);
  out += text_at(margin, 28, "ink title", "start", picture.title);
  out += text_at(margin, 50, "quiet", "start", peak_sentence(picture));
  out += legend(picture, layout) + grid(layout);
  double y = chart_top;
  for (const auto& bar : picture.bars) {
    out += row(bar, y, layout);
    y += row_height;
  }
  if (picture.law) out += line_at(layout.x(*picture.law), chart_top - 4, layout.bottom, "law");
  return out + "</svg>\n";
}

}  // namespace shardbench
