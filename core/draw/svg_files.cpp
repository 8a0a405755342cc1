#include "draw/svg_files.hpp"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>

#include "draw/step_picture.hpp"
#include "draw/svg.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr std::size_t longest_stem = 200;  // a name of 255 bytes is the most that file systems take

void write(const std::filesystem::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out)
    throw Error("cannot write a picture: " + std::string(std::strerror(errno)), file.string(),
                "name another folder for --svg");
}

}  // namespace

std::string svg_file_name(const std::string& case_id) {
  std::string name;
  for (const char c : case_id.substr(0, longest_stem)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '=' || (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  return name + ".svg";
}

std::size_t write_svg_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error("cannot make the folder for pictures: " + code.message(), folder.string(),
                "name another folder for --svg");
  std::set<std::string> names;
  for (const CaseResult& result : results) {
    const auto picture = step_picture(result);
    if (!picture) continue;
    std::string name = svg_file_name(result.spec.id);
    for (int number = 2; !names.insert(name).second; ++number)
      name = std::to_string(number) + "-" + svg_file_name(result.spec.id);
    write(folder / name, svg(*picture));
  }
  return names.size();
}

}  // namespace shardbench
