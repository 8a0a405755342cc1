#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

namespace shardbench {

/// The build that measured the base, where it is still to be had, and the plugins from outside that it had then.
class BaseBuild {
 public:
  /// `named` (--base-build) is a program, a build folder with bin/shardbench, or empty; the base's commit is put in
  /// place of each "{commit}" in it. There is no build where it has one and no such file is there, which is said on
  /// standard error. Throws `Error` where the runs of the base have several commits, or there is no program to run.
  BaseBuild(const std::filesystem::path& named, const std::vector<RecordedRun>& base);

  bool exists() const noexcept { return !program_.empty(); }
  const std::filesystem::path& program() const noexcept { return program_; }

  /// Files for its --plugin, so that the cases run with what measured them: each plugin from outside that they used in
  /// the base, by the hash of its content. They are looked for in plugins/HASH/ of the build folder, which
  /// `run --keep-plugins` fills, and among the files `at_hand`.
  std::vector<std::filesystem::path> plugins(const std::vector<std::string>& cases,
                                             const std::vector<std::filesystem::path>& at_hand) const;

  /// Why the case cannot take turns: a plugin that it used in the base is in neither place. Nothing where it can.
  std::optional<std::string> missing_plugin(const std::string& id,
                                            const std::vector<std::filesystem::path>& at_hand) const;

 private:
  std::vector<PluginFile> outside_plugins(const std::string& id) const;
  std::optional<std::filesystem::path> find(const PluginFile& plugin,
                                            const std::vector<std::filesystem::path>& at_hand) const;

  std::filesystem::path program_, kept_;
  const std::vector<RecordedRun>& base_;
};

}  // namespace shardbench
