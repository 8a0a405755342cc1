#include "suite/toml_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "shardbench/error.hpp"
#include "suite/toml_text.hpp"

namespace shardbench {

std::string read_text(const std::filesystem::path& file, std::string_view what) {
  std::error_code code;
  const auto status = std::filesystem::status(file, code);
  if (status.type() == std::filesystem::file_type::not_found)
    throw Error(fmt::format("the {} file {} does not exist", what, in_quotes(file.string())), file.string(),
                "check the path");
  if (std::filesystem::is_directory(status))
    throw Error(fmt::format("{} is a folder, but a {} file is needed", in_quotes(file.string()), what), file.string(),
                "name a .toml file in it");
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad())
    throw Error(fmt::format("the {} file {} cannot be read", what, in_quotes(file.string())), file.string(),
                "check its permissions");
  return text;
}

std::optional<toml::table> parse_toml(std::string_view text, const std::string& file, Problems& problems) {
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    problems.add("not valid TOML: " + std::string(error.description()), place_of(error.source(), file),
                 "correct the syntax (https://toml.io/en/v1.0.0)");
    return std::nullopt;
  }
}

}  // namespace shardbench
