#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/plugin.hpp"

namespace shardbench {

/// A plugin whose descriptor was read from its file and matched. Nothing of it has been run.
struct PluginInfo {
  PluginKind kind = PluginKind::comm;
  std::string name, version, description, torch_version;
  std::string launcher;   ///< comm only: "fork" or "mpirun"
  bool optimized = true;  ///< by its compiler
  std::filesystem::path file;
  std::string
      origin;  ///< which step of the search found it: "--plugin", "suite", "SHARDBENCH_PLUGIN_PATH", "install", "build"
  /// Option name -> allowed values, the first being the default; {"*"} allows any text.
  std::map<std::string, std::vector<std::string>> options;
};

/// A file that was looked at and not taken.
struct RefusedPlugin {
  std::filesystem::path file;
  std::vector<std::string> reasons;  ///< each a problem with both values, and the cure
  bool named = false;                ///< by the user (--plugin)
};

/// One step of the search, in order of precedence: a plugin found earlier shadows one of the same kind and name found
/// later; two of the same kind and name within one step refuse each other.
struct SearchStep {
  std::string origin;
  std::vector<std::filesystem::path> paths;  ///< files, or folders whose *.so are looked at
  bool explicit_files = false;               ///< they are named by the user (--plugin): a refusal is an error
};

/// The plugins that a run can use, by kind and name.
class Catalogue {
 public:
  /// What becomes of a refused file that the user has named.
  enum class Refused { thrown, listed };

  /// Throws `Error` on the first refused file that the user has named, unless all are to be listed.
  explicit Catalogue(const std::vector<SearchStep>& steps, Refused refused = Refused::thrown);

  const PluginInfo* find(PluginKind kind, std::string_view name) const;
  std::vector<std::string> names(PluginKind kind) const;  ///< sorted
  const std::vector<PluginInfo>& plugins() const noexcept { return plugins_; }
  const std::vector<RefusedPlugin>& refused() const noexcept { return refused_; }
  const std::vector<PluginInfo>& shadowed() const noexcept { return shadowed_; }

  /// For tests of what only needs to know names and options.
  static Catalogue of(std::vector<PluginInfo> plugins);

 private:
  Catalogue() = default;
  std::vector<PluginInfo> plugins_;
  std::vector<PluginInfo> shadowed_;
  std::vector<RefusedPlugin> refused_;
};

std::string name_of(PluginKind kind);

}  // namespace shardbench
