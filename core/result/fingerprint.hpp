#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace shardbench {

/// A plugin that took part in a run.
struct PluginFile {
  std::string kind, name, version;
  std::string file;      ///< its name without the folder: results name no place on a machine
  std::string sha1;      ///< of the file's bytes, 40 hexadecimal digits; tells builds apart, protects against nothing
  bool outside = false;  ///< not of the build itself: the commit says nothing about it
};

/// What a result depends on besides the case: two results are comparable only where this allows it.
struct Environment {
  std::string cpu;                               ///< model, as the kernel names it
  int cores = 0;                                 ///< that this process may run on
  std::string kernel;                            ///< "Linux 6.1.0 x86_64"
  std::string distribution;                      ///< "Debian GNU/Linux 12 (bookworm)"
  std::string compiler;                          ///< of the core
  std::string core_version;                      ///< "0.1.0"
  std::string commit;                            ///< of the source; "unknown" outside git
  bool dirty = false;                            ///< the source differed from that commit
  std::map<std::string, std::string> libraries;  ///< "LibTorch" -> "2.13.0", "BLAS" -> ...; told by the rank library
  int threads_per_rank = 0;                      ///< that compute; 0: not told
  std::vector<PluginFile> plugins;
  std::map<std::string, std::string> variables;  ///< only OMP_*, MKL_*, OMPI_MCA_*, GLOO_*

  /// The commit, "-dirty" at its end where the source differed from it.
  std::string commit_text() const { return commit + (dirty ? "-dirty" : ""); }
  bool oversubscribed(int world) const { return cores > 0 && world > cores; }
  /// Ten hexadecimal digits that differ when anything above differs.
  std::string digest() const;
};

/// All that can be known without LibTorch: `libraries`, `threads_per_rank` and `plugins` are the caller's.
Environment collect_environment();

/// Name, version and hash of a plugin's file. Throws `Error` when it cannot be read.
PluginFile plugin_file(std::string kind, std::string name, std::string version, const std::filesystem::path& file);

/// Copies the plugin's file to `folder`/SHA1/FILE, unless that is there. Throws `Error` when it cannot.
void keep_plugin(const PluginFile& plugin, const std::filesystem::path& from, const std::filesystem::path& folder);

/// The first "model name" of /proc/cpuinfo, or nothing there (some architectures have none).
std::string cpu_model(std::istream& cpuinfo);

/// PRETTY_NAME of /etc/os-release, unquoted, or empty.
std::string distribution_name(std::istream& os_release);

/// Those of the entries (NAME=value, ended by a null pointer) whose names begin with OMP_, MKL_, OMPI_MCA_ or GLOO_.
std::map<std::string, std::string> recorded_variables(const char* const* entries);

/// SHA-1 of bytes, 40 hexadecimal digits.
std::string sha1(const std::string& bytes);

}  // namespace shardbench
