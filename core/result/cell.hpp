#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace shardbench {

/// One value of a table: nothing (not applicable), a count, a measured number, or text.
using Cell = std::variant<std::monostate, std::uint64_t, double, std::string>;

/// As the CSV files show it: empty, "12", the shortest text that reads back as the same double, "nan", "inf".
std::string text(const Cell& cell);

/// The number in it, or nothing where it is empty or text.
std::optional<double> number(const Cell& cell);

}  // namespace shardbench
