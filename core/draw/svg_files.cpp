#include "draw/svg_files.hpp"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>

#include "draw/execution.hpp"
#include "draw/horizon_chart.hpp"
#include "draw/step_picture.hpp"
#include "draw/svg.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr std::size_t longest_stem = 200;  // a name of 255 bytes is the most that file systems take

void write(const std::filesystem::path& file, const std::string& text, const std::string& flag) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text << std::flush;
  if (!out)
    throw Error("cannot write a file: " + std::string(std::strerror(errno)), file.string(),
                "name another folder for " + flag);
}

void make_folder(const std::filesystem::path& folder, const std::string& flag) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw Error("cannot make a folder: " + code.message(), folder.string(), "name another folder for " + flag);
}

std::string file_stem(const std::string& case_id) {
  std::string name;
  for (const char c : case_id.substr(0, longest_stem)) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '=' || (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  return name;
}

std::string step_svg(const CaseResult& result) {
  const auto picture = step_picture(result);
  return picture ? svg(*picture) : std::string{};
}

std::string timeline_svg(const CaseResult& result) {
  const auto gantt = execution_gantt(result);
  return gantt ? gantt_svg(*gantt) : std::string{};
}

}  // namespace

std::string svg_file_name(const std::string& case_id) { return file_stem(case_id) + ".svg"; }

std::size_t write_case_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder,
                             const std::string& extension, const std::string& flag,
                             const std::function<std::string(const CaseResult&)>& text_of) {
  make_folder(folder, flag);
  std::set<std::string> names;
  for (const CaseResult& result : results) {
    const std::string text = text_of(result);
    if (text.empty()) continue;
    const std::string stem = file_stem(result.spec.id) + extension;
    std::string name = stem;
    for (int number = 2; !names.insert(name).second; ++number) name = std::to_string(number) + "-" + stem;
    write(folder / name, text, flag);
  }
  return names.size();
}

std::size_t write_svg_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder) {
  std::size_t files = write_case_files(results, folder, ".svg", "--svg", step_svg) +
                      write_case_files(results, folder, ".timeline.svg", "--svg", timeline_svg);
  for (const HorizonChart& chart : horizon_charts(results)) {
    write(folder / ("horizon-" + file_stem(chart.title) + ".svg"), horizon_svg(chart), "--svg");
    ++files;
  }
  return files;
}

}  // namespace shardbench
