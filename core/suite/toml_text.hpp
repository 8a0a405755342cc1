#pragma once
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "suite/case.hpp"
#include "suite/problems.hpp"

/// TOML, read and quoted in messages.

namespace shardbench {

/// The parsed text, or nothing and a problem with the parser's own words and position.
std::optional<toml::table> parse_toml(std::string_view text, const std::string& file, Problems& problems);

Place place_of(const toml::source_region& region, const std::string& file);

/// The value alone: `"two"`, `2.5`, `true`, `a list`, `a table`.
std::string show(const toml::node& node);

/// The value and its type: `"two" (a string)`, `2.5 (a float)`, `a list`.
std::string describe(const toml::node& node);

/// `a, b, c`, or `none` for no names.
std::string listed(const std::vector<std::string>& names);

/// `did you mean "NEAREST"? ` where a candidate is near, else nothing: the beginning of a cure.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// Whether it can be a part of a case's id: letters, digits, '-', '_' and '.', at least one.
bool is_plain_key(std::string_view name);
inline constexpr std::string_view plain_name_rule = "letters, digits, '-', '_' and '.'";

}  // namespace shardbench
