#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// Text from outside, and how messages show it.

namespace shardbench {

/// The text of a file. `what` names its role in messages ("suite", "plan"). Throws `Error` if there is no such file, if
/// it is a folder or a device, or if it cannot be read.
std::string read_text(const std::filesystem::path& file, std::string_view what);

/// In quotes, on one line, cut after `longest` bytes.
std::string in_quotes(std::string_view text, std::size_t longest = 60);
inline constexpr std::size_t whole = std::string_view::npos;

}  // namespace shardbench
