#pragma once
#include <string>
#include <string_view>

namespace shardbench {

/// Text as it may stand in an SVG element or attribute: markup is escaped, and what XML 1.0 has no place for (control
/// characters, bytes that are not UTF-8) becomes U+FFFD.
std::string svg_text(std::string_view text);

}  // namespace shardbench
