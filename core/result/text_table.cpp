#include "result/text_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace shardbench {

std::string thousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, 1, ',');
  }
  return text;
}

std::string red(std::string_view text, TextStyle style) {
  return style.colour ? "\033[31m" + std::string(text) + "\033[0m" : std::string(text);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void TextTable::add(std::vector<std::string> cells, bool bad) {
  if (cells.size() != headings_.size()) throw std::invalid_argument("a row must have one text per heading");
  rows_.push_back({std::move(cells), bad});
}

bool TextTable::shown(std::size_t column) const {
  const auto& heading = headings_[column];
  const auto all = [&](auto&& predicate) {
    return std::all_of(rows_.begin(), rows_.end(), [&](const Line& line) { return predicate(line.cells[column]); });
  };
  if (heading.hide_if_empty && all([](const std::string& cell) { return cell.empty(); })) return false;
  return !(heading.hide_if_same && all([&](const std::string& cell) { return cell == rows_.front().cells[column]; }));
}

std::string TextTable::text(TextStyle style) const {
  if (rows_.empty()) return {};
  std::vector<std::size_t> columns, widths(headings_.size());
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    if (!shown(c)) continue;
    columns.push_back(c);
    widths[c] = display_width(headings_[c].name);
    for (const Line& line : rows_) widths[c] = std::max(widths[c], display_width(line.cells[c]));
  }
  const auto line_of = [&](const auto& cell_of) {
    std::string line;
    for (const std::size_t c : columns) {
      const std::string& cell = cell_of(c);
      const std::string padding(widths[c] - display_width(cell), ' ');
      line += "  " + (headings_[c].align == Align::left ? cell + padding : padding + cell);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::string text = line_of([&](std::size_t c) -> const std::string& { return headings_[c].name; }) + '\n';
  for (const Line& row : rows_) {
    const std::string line = line_of([&](std::size_t c) -> const std::string& { return row.cells[c]; });
    text += (row.bad ? red(line, style) : line) + '\n';
  }
  return text;
}

}  // namespace shardbench
