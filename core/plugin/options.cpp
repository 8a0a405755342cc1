#include <algorithm>
#include <string>

#include "plugin/descriptor.hpp"

namespace shardbench {
namespace {

/// The pieces of `text` between the separators: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    pieces.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return pieces;
    begin = end + 1;
  }
}

}  // namespace

ParsedOptions parse_options(std::string_view text) {
  ParsedOptions parsed;
  if (text.empty()) return parsed;
  const auto refuse = [&](const std::string& problem) {
    parsed.problems.push_back("its options are '" + std::string(text) + "', but " + problem);
  };
  for (const auto& option : split(text, ';')) {
    const auto equals = option.find('=');
    if (equals == std::string::npos) {
      refuse("'" + option + "' has no '='");
      continue;
    }
    const auto name = option.substr(0, equals);
    if (!is_plain_name(name)) refuse("the name '" + name + "' is not made of a to z, 0 to 9 and '_'");
    const auto values = split(std::string_view(option).substr(equals + 1), '|');
    for (auto it = values.begin(); it != values.end(); ++it) {
      if (it->empty()) refuse("'" + name + "' has an empty value");
      if (it->find('=') != std::string::npos) refuse("the value '" + *it + "' contains '='");
      if (*it == "*" && values.size() > 1) refuse("'" + name + "' has '*', which must be its only value, among others");
      if (!it->empty() && std::find(values.begin(), it, *it) != it)
        refuse("'" + name + "' has the value '" + *it + "' twice");
    }
    if (!parsed.options.emplace(name, values).second) refuse("'" + name + "' is there twice");
  }
  return parsed;
}

}  // namespace shardbench
