#include "result/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cctype>
#include <string>
#include <system_error>

#include "result/run_info.hpp"
#include "shardbench/error.hpp"

namespace fs = std::filesystem;

namespace shardbench {
namespace {

std::string folder_name(std::string_view suite) {
  std::string name;
  for (const char c : suite) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    name += plain ? c : '-';
  }
  return name;
}

}  // namespace

fs::path new_run_folder(const fs::path& root, std::string_view suite, std::chrono::system_clock::time_point started) {
  constexpr auto cure = "check the permissions, or choose a folder with --out";
  std::error_code failed;
  fs::create_directories(root, failed);
  if (failed) throw Error("cannot make the results folder: " + failed.message(), root.string(), cure);
  const std::string base = folder_name(suite) + '-' + utc_compact(started);
  for (int n = 1;; ++n) {
    fs::path folder = root / (n == 1 ? base : fmt::format("{}-{}", base, n));
    const bool made = fs::create_directory(folder, failed);  // one mkdir: only one of several runs makes it
    if (failed && failed != std::errc::file_exists)
      throw Error("cannot make the results folder: " + failed.message(), folder.string(), cure);
    if (made) return folder;
  }
}

void point_latest(const fs::path& root, const fs::path& folder) {
  const fs::path link = root / "latest";
  std::error_code failed;
  const auto kind = fs::symlink_status(link, failed).type();
  if (kind != fs::file_type::symlink && kind != fs::file_type::not_found)
    throw Error("'latest' is no link and is left alone", link.string(),
                "move it away: it should point to the last run");
  const fs::path inside =
      fs::absolute(folder).lexically_normal().lexically_relative(fs::absolute(root).lexically_normal());
  const bool within = !inside.empty() && *inside.begin() != "..";
  const fs::path temporary = root / fmt::format(".latest.{}", ::getpid());
  fs::remove(temporary, failed);
  fs::create_directory_symlink(within ? inside : fs::absolute(folder), temporary, failed);
  if (!failed) fs::rename(temporary, link, failed);
  if (failed) throw Error("cannot point 'latest' to the run: " + failed.message(), link.string());
}

}  // namespace shardbench
