#include "draw/svg_text.hpp"

#include <cstddef>
#include <cstdint>

namespace shardbench {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the code point that `text` begins with, or 0 where it begins with none that XML allows (RFC 3629; XML 1.0,
/// section 2.2).
std::size_t code_point_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t bytes = first >= 0xC2 && first < 0xE0   ? 2
                            : first >= 0xE0 && first < 0xF0 ? 3
                            : first >= 0xF0 && first < 0xF5 ? 4
                                                            : 0;
  if (bytes == 0 || bytes > text.size()) return 0;
  std::uint32_t point = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3F);
  }
  const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
  const bool surrogate = point >= 0xD800 && point < 0xE000;
  return point < least || point > 0x10FFFF || surrogate || point == 0xFFFE || point == 0xFFFF ? 0 : bytes;
}

}  // namespace

std::string svg_text(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t bytes = code_point_bytes(text);
    switch (text.front()) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += bytes == 0 ? replacement : text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return safe;
}

}  // namespace shardbench
