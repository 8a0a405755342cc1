#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "suite/problems.hpp"

namespace shardbench {

/// The text of a file. `what` names its role in messages ("suite"). Throws `Error` if there is no such file, if it is a
/// folder or if it cannot be read.
std::string read_text(const std::filesystem::path& file, std::string_view what);

/// The parsed text, or nothing and a problem with the parser's own words and position.
std::optional<toml::table> parse_toml(std::string_view text, const std::string& file, Problems& problems);

}  // namespace shardbench
