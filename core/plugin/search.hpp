#pragma once
#include <filesystem>
#include <vector>

#include "plugin/catalogue.hpp"

namespace shardbench {

/// The folder of the running executable, links followed.
std::filesystem::path executable_folder();

/// Where plugins are looked for, first step first (docs/design.md, "Plugins"):
/// the files of --plugin, the paths that a suite names, SHARDBENCH_PLUGIN_PATH (folders or files between colons), and
/// ../lib/shardbench/plugins from the executable, which is where both an install and a build tree have them.
/// Steps without paths are left out.
std::vector<SearchStep> default_search(const std::vector<std::filesystem::path>& plugin_files,
                                       const std::vector<std::filesystem::path>& suite_paths);

}  // namespace shardbench
