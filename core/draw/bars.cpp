#include "draw/bars.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// One role's look: a character of its own with and without Unicode, and its colour of the Okabe-Ito palette (Okabe and
/// Ito, "Color Universal Design", 2008) as the nearest of xterm's 256.
struct Look {
  std::string_view block, letter;
  int colour;
};
constexpr std::array<Look, role_count> looks = {{{"█", "W", 25},     // weights: blue
                                                 {"▓", "G", 214},    // gradients: orange
                                                 {"▒", "O", 36},     // optimizer: bluish green
                                                 {"░", "A", 175},    // activations: reddish purple
                                                 {"▚", "C", 166},    // communication: vermilion
                                                 {"╱", "T", 244}}};  // temporary: grey

std::string piece(std::size_t role, std::size_t columns, const BarStyle& style) {
  std::string text;
  const Look& look = looks[role];
  for (std::size_t i = 0; i < columns; ++i) text += style.unicode ? look.block : look.letter;
  return style.text.colour && columns > 0 ? fmt::format("\033[38;5;{}m{}\033[0m", look.colour, text) : text;
}

/// Columns of the first `bytes` of a scale.
std::size_t column_of(std::uint64_t bytes, std::uint64_t scale, const BarStyle& style) {
  return static_cast<std::size_t>(
      std::lround(static_cast<double>(bytes) / static_cast<double>(scale) * static_cast<double>(style.columns)));
}

/// The bar in `columns` + 1 columns, one of which is the law's mark where there is a law.
std::string drawn(const StepPicture& picture, const RoleBytes& bytes, const BarStyle& style) {
  const std::uint64_t scale = picture.scale();
  const std::size_t mark = picture.law ? column_of(*picture.law, scale, style) : std::string::npos;
  const std::string_view mark_text = style.unicode ? "│" : "|";
  std::string text;
  std::size_t at = 0;
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < role_count; ++r) {
    const std::size_t end = column_of(sum += bytes[r], scale, style);
    if (mark >= at && mark < end) {  // more than the law allows: the mark is inside the bar
      text += piece(r, mark - at, style);
      text += mark_text;
      at = mark + 1;
    }
    text += piece(r, end > at ? end - at : 0, style);
    at = std::max(at, end);
  }
  const auto last = static_cast<std::size_t>(style.columns);
  for (; at <= last; ++at) text += at == mark ? mark_text : " ";
  return text;
}

std::string legend(const StepPicture& picture, const BarStyle& style) {
  RoleBytes ever{};
  for (const auto& bar : picture.bars)
    for (std::size_t r = 0; r < role_count; ++r) ever[r] = std::max(ever[r], bar.bytes[r]);
  std::string text;
  for (std::size_t r = 0; r < role_count; ++r)
    if (ever[r] > 0) text += fmt::format("  {} {}", piece(r, 1, style), name_of(static_cast<Role>(r)));
  if (picture.law) text += style.unicode ? "  │ the law's peak" : "  | the law's peak";
  return text;
}

}  // namespace

std::string bars(const StepPicture& picture, const BarStyle& style) {
  std::size_t label = 0, number = 0;
  for (const auto& bar : picture.bars) {
    label = std::max(label, display_width(bar.label));
    number = std::max(number, thousands(total(bar.bytes)).size());
  }
  std::string text = picture.title + '\n';
  for (const auto& bar : picture.bars) {
    const std::string padding(label - display_width(bar.label), ' ');
    text += fmt::format("  {}{}  {} {:>{}}{}\n", bar.label, padding, drawn(picture, bar.bytes, style),
                        thousands(total(bar.bytes)), number, bar.peak ? (style.unicode ? " ◂ peak" : " < peak") : "");
  }
  text += fmt::format("  {}\n  alive then: {}\n{}\n", peak_sentence(picture), roles_sentence(picture.at_peak),
                      legend(picture, style));
  return text;
}

bool names_utf8(const char* lc_all, const char* lc_ctype, const char* lang) {
  for (const char* value : {lc_all, lc_ctype, lang}) {
    if (value == nullptr || *value == '\0') continue;
    std::string name;
    for (const char c : std::string_view(value))
      if (c != '-') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name.find("utf8") != std::string::npos;
  }
  return false;
}

bool unicode_wanted() { return names_utf8(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG")); }

}  // namespace shardbench
