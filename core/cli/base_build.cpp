#include "cli/base_build.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <unistd.h>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/replace.hpp>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

/// With the base's commit, or empty where there is no build of it.
fs::path build_of(const fs::path& named, const std::vector<RecordedRun>& base) {
  constexpr const char* the_commit = "{commit}";
  if (!boost::contains(named.native(), the_commit)) return named;
  std::set<std::string> commits;
  for (const RecordedRun& run : base) commits.insert(run.environment.commit_text());
  if (commits.size() != 1)
    throw Error(fmt::format("--base-build has one {{commit}}, but the base has results of {}: {}", commits.size(),
                            fmt::join(commits, ", ")),
                named.string(), "name the build itself");
  const std::string path = boost::replace_all_copy(named.string(), the_commit, *commits.begin());
  if (fs::exists(path)) return path;
  fmt::print(stderr, "the base's build is not there, so the re-run is held against its old results: {}\n", path);
  return {};
}

bool has_content(const fs::path& file, const PluginFile& plugin) {
  return fs::is_regular_file(file) && plugin_file(plugin.kind, plugin.name, plugin.version, file).sha1 == plugin.sha1;
}

}  // namespace

BaseBuild::BaseBuild(const fs::path& named, const std::vector<RecordedRun>& base) : base_(base) {
  const fs::path build = build_of(named, base);
  if (build.empty()) return;
  const bool is_folder = fs::is_directory(build);
  program_ = is_folder ? build / "bin/shardbench" : build;
  kept_ = (is_folder ? build : fs::absolute(build).parent_path().parent_path()) / "plugins";
  if (::access(program_.c_str(), X_OK) != 0 || fs::is_directory(program_))
    throw Error("--base-build names no program that can be run", program_.string(),
                "name a build folder with bin/shardbench, or the program itself");
}

std::vector<PluginFile> BaseBuild::outside_plugins(const std::string& id) const {
  std::vector<PluginFile> used;
  for (const RecordedRun& run : base_)
    if (const RecordedCase* c = run.find(id))
      for (PluginFile& p : run.plugins_of(*c))
        if (p.outside &&
            std::none_of(used.begin(), used.end(), [&](const PluginFile& known) { return known.sha1 == p.sha1; }))
          used.push_back(std::move(p));
  return used;
}

std::optional<fs::path> BaseBuild::find(const PluginFile& plugin, const std::vector<fs::path>& at_hand) const {
  if (fs::path kept = kept_ / plugin.sha1 / plugin.file; has_content(kept, plugin)) return kept;
  const auto found =
      std::find_if(at_hand.begin(), at_hand.end(), [&](const fs::path& f) { return has_content(f, plugin); });
  return found == at_hand.end() ? std::nullopt : std::optional(*found);
}

std::vector<fs::path> BaseBuild::plugins(const std::vector<std::string>& cases,
                                         const std::vector<fs::path>& at_hand) const {
  std::set<fs::path> files;
  for (const std::string& id : cases)
    for (const PluginFile& plugin : outside_plugins(id))
      if (auto file = find(plugin, at_hand)) files.insert(std::move(*file));
  return {files.begin(), files.end()};
}

std::optional<std::string> BaseBuild::missing_plugin(const std::string& id,
                                                     const std::vector<fs::path>& at_hand) const {
  if (!exists()) return std::nullopt;
  std::set<std::string> seen;
  for (const PluginFile& p : outside_plugins(id)) {
    if (!seen.insert(p.kind + ' ' + p.name).second)
      return fmt::format("the results of the base had several plugins {} {}, so it took no turns", p.kind, p.name);
    if (!find(p, at_hand))
      return fmt::format("the base's plugin is not to be had, so it took no turns: {} {} {} of {} (sha1 {}) is not {}",
                         p.kind, p.name, p.version, p.file, p.sha1.substr(0, 12), (kept_ / p.sha1 / p.file).string());
  }
  return std::nullopt;
}

}  // namespace shardbench
