#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::string read_text(const fs::path& file, std::string_view what) {
  std::error_code code;
  const auto status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found)
    throw Error(fmt::format("the {} file {} does not exist", what, in_quotes(file.string(), whole)), file.string(),
                "check the path");
  if (fs::is_directory(status))
    throw Error(fmt::format("{} is a folder, but a {} file is needed", in_quotes(file.string(), whole), what),
                file.string(), "name a file in it");
  if (fs::is_character_file(status) || fs::is_block_file(status))
    throw Error(fmt::format("{} is a device, but a {} file is needed", in_quotes(file.string(), whole), what),
                file.string(), "name a file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad())
    throw Error(fmt::format("the {} file {} cannot be read: {}", what, in_quotes(file.string(), whole),
                            errno == 0 ? "the reading failed" : std::strerror(errno)),
                file.string(), "check its permissions");
  return text;
}

std::string in_quotes(std::string_view text, std::size_t longest) {
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && continues_utf8(text[end])) --end;
  std::string out = "\"";
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02X}", byte);
    else
      out += c;
  }
  return out + (end < text.size() ? "...\"" : "\"");
}

}  // namespace shardbench
