#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "draw/gantt.hpp"
#include "law/plan_text.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// Backgrounds of xterm's 256 colours near those of the SVG, for a first and a second chunk; the text on them is black.
struct Look {
  std::string_view name;
  std::array<int, 2> background;
};
constexpr std::array<Look, 4> looks{{{"forward", {117, 68}},
                                     {"whole backward", {115, 72}},
                                     {"gradient of the input", {221, 172}},
                                     {"gradient of the weights", {182, 133}}}};

constexpr std::size_t least_columns = 20;

std::string coloured(const std::string& text, const Gantt::Box& box, const GanttStyle& style) {
  if (!style.text.colour) return text;
  const Look& look = looks[static_cast<std::size_t>(box.action.kind)];
  return fmt::format("\033[48;5;{};30m{}\033[0m", look.background[box.second_chunk ? 1 : 0], text);
}

/// The letter of a kind, small for a second chunk.
std::string letter(const Gantt::Box& box) {
  const char large = name_of(box.action.kind).front();
  return {box.second_chunk ? static_cast<char>(std::tolower(large)) : large};
}

/// "F3" in so many columns, or what of it fits.
std::string label(const Gantt::Box& box, std::size_t columns) {
  std::string text = letter(box) + std::to_string(box.action.microbatch);
  if (text.size() > columns) text = letter(box);
  text.resize(columns, text.size() < columns && columns > 1 ? '-' : ' ');
  return text;
}

/// For every column the box that fills most of it, or none where idleness does.
std::vector<const Gantt::Box*> fill(const Gantt::Row& row, double per_column, std::size_t columns) {
  std::vector<const Gantt::Box*> shown(columns, nullptr);
  std::vector<double> most(columns, 0), busy(columns, 0);
  for (const Gantt::Box& box : row.boxes) {
    auto column = static_cast<std::size_t>(std::max(0.0, std::floor(box.begin / per_column)));
    for (; column < columns && static_cast<double>(column) * per_column < box.end; ++column) {
      const double left = static_cast<double>(column) * per_column;
      const double part = std::min(box.end, left + per_column) - std::max(box.begin, left);
      busy[column] += part;
      if (part <= most[column]) continue;
      most[column] = part;
      shown[column] = &box;
    }
  }
  for (std::size_t c = 0; c < columns; ++c)
    if (busy[c] < per_column / 2) shown[c] = nullptr;
  return shown;
}

std::string drawn(const Gantt::Row& row, double per_column, std::size_t columns, const GanttStyle& style) {
  const auto shown = fill(row, per_column, columns);
  std::string text;
  for (std::size_t c = 0; c < columns;) {
    std::size_t end = c;
    while (end < columns && shown[end] == shown[c]) ++end;
    if (shown[c] != nullptr)
      text += coloured(label(*shown[c], end - c), *shown[c], style);
    else
      for (std::size_t i = c; i < end; ++i) text += style.unicode ? "·" : ".";
    c = end;
  }
  return text;
}

std::string legend(const Gantt& gantt, const GanttStyle& style) {
  std::array<std::array<bool, 2>, 4> there{};
  for (const auto& part : gantt.parts)
    for (const auto& row : part.rows)
      for (const auto& box : row.boxes)
        there[static_cast<std::size_t>(box.action.kind)][box.second_chunk ? 1 : 0] = true;
  std::string text = " ";
  for (std::size_t k = 0; k < looks.size(); ++k) {
    if (!there[k][0] && !there[k][1]) continue;
    text += ' ';
    for (const bool second : {false, true}) {
      const Gantt::Box box{0, 0, {static_cast<ActionKind>(k), 0, 0}, second};
      if (there[k][second ? 1 : 0]) text += coloured(letter(box), box, style);
    }
    text += fmt::format(" {} ", looks[k].name);
  }
  return text + (style.unicode ? " · idle" : " . idle");
}

}  // namespace

std::string gantt_text(const Gantt& gantt, const GanttStyle& style) {
  std::size_t label_width = 0, note_width = 0;
  for (const auto& part : gantt.parts)
    for (const auto& row : part.rows) {
      label_width = std::max(label_width, display_width(row.label));
      note_width = std::max(note_width, display_width(row.note));
    }
  const std::size_t beside = label_width + note_width + 6;
  const std::size_t room = std::max(least_columns, style.columns > beside ? style.columns - beside : 0);
  const double end = gantt.end() > 0 ? gantt.end() : 1;
  // Where there is room, a whole number of columns for a unit of time, so that equal boxes are equally wide.
  const double whole = std::floor(static_cast<double>(room) / end);
  const double per_column = whole >= 1 ? 1 / whole : end / static_cast<double>(room);
  const auto columns =
      static_cast<std::size_t>(std::min(std::ceil(end / per_column - 1e-9), static_cast<double>(room)));
  std::string text = gantt.title + '\n';
  for (const auto& part : gantt.parts) {
    if (gantt.parts.size() > 1) text += part.title + '\n';
    for (std::size_t r = 0; r < part.rows.size(); ++r) {
      if (part.left_out > 0 && r == part.rows.size() / 2) text += fmt::format("  ... {} ranks more\n", part.left_out);
      const auto& row = part.rows[r];
      text +=
          fmt::format("  {:<{}}  {}  {}\n", row.label, label_width, drawn(row, per_column, columns, style), row.note);
    }
  }
  return text + legend(gantt, style) + '\n';
}

}  // namespace shardbench
