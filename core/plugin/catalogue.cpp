#include "plugin/catalogue.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "plugin/descriptor.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// One step of the search: every file of its paths, read and matched.
class StepReader {
 public:
  StepReader(const SearchStep& step, Catalogue::Refused refused_files) : step_(step), refused_files_(refused_files) {
    for (const auto& path : step.paths) {
      std::error_code unreadable;  // said by read_file
      if (std::filesystem::is_directory(path, unreadable))
        read_folder(path);
      else
        read_file(path);
    }
    refuse_ambiguous();
  }

  std::vector<PluginInfo> taken;
  std::vector<RefusedPlugin> refused;

 private:
  void read_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (entry.path().extension() == ".so") files.push_back(entry.path());
    if (error) refuse(folder, "the folder cannot be read: " + error.message(), "make it readable");
    if (files.empty() && step_.explicit_files)
      refuse(folder, "the folder holds no .so file", "name the plugin's .so file");
    std::sort(files.begin(), files.end());
    for (const auto& file : files) read_file(file);
  }

  void read_file(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
      refuse(file, "there is no such file or folder", "correct the path");
      return;
    }
    if (!seen_.insert(std::filesystem::canonical(file)).second)
      return;  // the same file by another way is no second one
    try {
      taken.push_back(read_plugin(file, step_.origin));
    } catch (const RefusedDescriptor& refusal) {
      refuse(file, refusal.all());
    } catch (const Error& refusal) {
      refuse(file, refusal.problem(), refusal.cure());
    }
  }

  void refuse_ambiguous() {
    const auto same = [](const PluginInfo& a, const PluginInfo& b) { return a.kind == b.kind && a.name == b.name; };
    std::vector<PluginInfo> alone;
    for (const auto& plugin : taken) {
      const auto other = std::find_if(taken.begin(), taken.end(), [&](const PluginInfo& candidate) {
        return &candidate != &plugin && same(candidate, plugin);
      });
      if (other == taken.end())
        alone.push_back(plugin);
      else
        refuse(plugin.file,
               "it is " + name_of(plugin.kind) + " '" + plugin.name + "', and so is " + other->file.string() +
                   " in the same step of the search (" + step_.origin + ")",
               "remove or rename one of them");
    }
    taken = std::move(alone);
  }

  void refuse(const std::filesystem::path& file, const std::string& problem, const std::string& cure) {
    refuse(file, {{problem, cure}});
  }

  void refuse(const std::filesystem::path& file, const std::vector<Refusal>& all) {
    if (step_.explicit_files && refused_files_ == Catalogue::Refused::thrown) {
      const RefusedDescriptor first(all, file);
      throw Error("this plugin cannot be used: " + first.problem(), first.where(), first.cure());
    }
    RefusedPlugin& one = refused.emplace_back();
    one.file = file;
    one.named = step_.explicit_files;
    for (const auto& [problem, cure] : all) one.reasons.push_back(problem + "; " + cure);
  }

  const SearchStep& step_;
  Catalogue::Refused refused_files_;
  std::set<std::filesystem::path> seen_;
};

}  // namespace

Catalogue::Catalogue(const std::vector<SearchStep>& steps, Refused refused) {
  for (const auto& step : steps) {
    StepReader reader(step, refused);
    for (auto& plugin : reader.taken) {
      auto& list = find(plugin.kind, plugin.name) == nullptr ? plugins_ : shadowed_;
      list.push_back(std::move(plugin));
    }
    refused_.insert(refused_.end(), reader.refused.begin(), reader.refused.end());
  }
}

Catalogue Catalogue::of(std::vector<PluginInfo> plugins) {
  Catalogue catalogue;
  catalogue.plugins_ = std::move(plugins);
  return catalogue;
}

const PluginInfo* Catalogue::find(PluginKind kind, std::string_view name) const {
  const auto it = std::find_if(plugins_.begin(), plugins_.end(),
                               [&](const PluginInfo& plugin) { return plugin.kind == kind && plugin.name == name; });
  return it == plugins_.end() ? nullptr : &*it;
}

std::vector<std::string> Catalogue::names(PluginKind kind) const {
  std::vector<std::string> names;
  for (const auto& plugin : plugins_)
    if (plugin.kind == kind) names.push_back(plugin.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string name_of(PluginKind kind) {
  switch (kind) {
    case PluginKind::comm: return "comm";
    case PluginKind::strategy: return "strategy";
    case PluginKind::schedule: return "schedule";
  }
  return "?";
}

}  // namespace shardbench
