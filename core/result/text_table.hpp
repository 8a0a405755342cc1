#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/text_style.hpp"

namespace shardbench {

enum class Align { left, right };

/// A table of text in aligned columns, for a terminal.
///
///     TextTable table({{"strategy", Align::left}, {"weights", Align::right}});
///     table.add({"ddp", thousands(2105344)});
///     std::cout << table.text({});
class TextTable {
 public:
  struct Heading {
    std::string name = {};
    Align align = Align::right;
    bool hide_if_empty = false;  ///< the column is left out where no row has a text for it
    bool hide_if_same = false;   ///< ... where all rows have the same text
  };

  explicit TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

  /// One text per heading. `bad`: in red, where the style has colours.
  void add(std::vector<std::string> cells, bool bad = false);
  bool empty() const noexcept { return rows_.empty(); }

  /// Lines of two spaces, the columns two spaces apart; no spaces at the end of a line.
  std::string text(TextStyle style) const;

 private:
  struct Line {
    std::vector<std::string> cells;
    bool bad = false;
  };
  bool shown(std::size_t column) const;

  std::vector<Heading> headings_;
  std::vector<Line> rows_;
};

/// 2105344 -> "2,105,344".
std::string thousands(std::uint64_t number);

/// In red, where the style has colours.
std::string red(std::string_view text, TextStyle style);

/// Columns that a text takes on a terminal: code points of its UTF-8.
std::size_t display_width(std::string_view text);

}  // namespace shardbench
