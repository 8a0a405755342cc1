#include "result/cell.hpp"

#include <fmt/format.h>

namespace shardbench {

std::string text(const Cell& cell) {
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return fmt::format("{}", *count);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  return {};
}

std::optional<double> number(const Cell& cell) {
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

}  // namespace shardbench
