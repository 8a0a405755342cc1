#include "suite/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "suite/nearest.hpp"

namespace shardbench {

std::optional<toml::table> parse_toml(std::string_view text, const std::string& file, Problems& problems) {
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    problems.add("not valid TOML: " + std::string(error.description()), place_of(error.source(), file),
                 "correct the syntax (https://toml.io/en/v1.0.0)");
    return std::nullopt;
  }
}

Place place_of(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

std::string show(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(text->get());
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  std::ostringstream out;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) out << value;
  });
  return out.str();
}

std::string describe(const toml::node& node) {
  std::string shown = show(node);
  switch (node.type()) {
    case toml::node_type::string: return shown + " (a string)";
    case toml::node_type::integer: return shown + " (an integer)";
    case toml::node_type::floating_point: return shown + " (a float)";
    case toml::node_type::boolean: return shown + " (a boolean)";
    case toml::node_type::date: return shown + " (a date)";
    case toml::node_type::time: return shown + " (a time)";
    case toml::node_type::date_time: return shown + " (a date and time)";
    default: return shown;
  }
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : "did you mean " + in_quotes(nearest, whole) + "? ";
}

bool is_plain_key(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace shardbench
