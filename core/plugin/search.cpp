#include "plugin/search.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <cstdlib>
#include <sstream>
#include <string>

namespace shardbench {

std::filesystem::path executable_folder() {
  return std::filesystem::canonical(boost::dll::program_location().string()).parent_path();
}

std::vector<SearchStep> default_search(const std::vector<std::filesystem::path>& plugin_files,
                                       const std::vector<std::filesystem::path>& suite_paths) {
  std::vector<SearchStep> steps;
  if (!plugin_files.empty()) steps.push_back({"--plugin", plugin_files, true});
  if (!suite_paths.empty()) steps.push_back({"suite", suite_paths, false});
  if (const char* value = std::getenv("SHARDBENCH_PLUGIN_PATH"); value != nullptr) {
    SearchStep step{"SHARDBENCH_PLUGIN_PATH", {}, false};
    std::istringstream paths(value);
    for (std::string path; std::getline(paths, path, ':');)
      if (!path.empty()) step.paths.emplace_back(path);
    if (!step.paths.empty()) steps.push_back(std::move(step));
  }
  const auto root = executable_folder().parent_path();
  const bool built = std::filesystem::exists(root / "CMakeCache.txt");
  steps.push_back({built ? "build" : "install", {root / "lib" / "shardbench" / "plugins"}, false});
  return steps;
}

}  // namespace shardbench
