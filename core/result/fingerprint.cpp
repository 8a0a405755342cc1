#include "result/fingerprint.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>
#include <boost/uuid/detail/sha1.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

#include "result/commit.hpp"  // written at build time by commit.cmake
#include "shardbench/error.hpp"
#include "shardbench/version.hpp"

namespace shardbench {

std::string sha1(const std::string& bytes) {
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(bytes.data(), bytes.size());
  boost::uuids::detail::sha1::digest_type digest;
  hash.get_digest(digest);
  std::string hex;
  for (const unsigned int word : digest) hex += fmt::format("{:08x}", word);
  return hex;
}

std::string Environment::digest() const {
  std::string all = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", cpu, cores, kernel, distribution, compiler,
                                core_version, commit, dirty, threads_per_rank);
  for (const auto& [name, version] : libraries) all += fmt::format("library {}={}\n", name, version);
  for (const auto& p : plugins) all += fmt::format("plugin {} {} {} {}\n", p.kind, p.name, p.version, p.sha1);
  for (const auto& [name, value] : variables) all += fmt::format("variable {}={}\n", name, value);
  return sha1(all).substr(0, 10);
}

std::string cpu_model(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    const auto begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == std::string::npos ? std::string{} : line.substr(begin);
  }
  return {};
}

std::string distribution_name(std::istream& os_release) {
  constexpr std::string_view key = "PRETTY_NAME=";
  for (std::string line; std::getline(os_release, line);) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(key.size());
    if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\''))
      value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

std::map<std::string, std::string> recorded_variables(const char* const* entries) {
  std::map<std::string, std::string> recorded;
  for (; entries != nullptr && *entries != nullptr; ++entries) {
    const std::string_view entry = *entries;
    for (const std::string_view prefix : {"OMP_", "MKL_", "OMPI_MCA_", "GLOO_"}) {
      if (!entry.starts_with(prefix)) continue;
      const auto equals = entry.find('=');
      if (equals != std::string_view::npos) recorded.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return recorded;
}

Environment collect_environment() {
  Environment environment;
  utsname system{};
  if (::uname(&system) != 0) throw Error(fmt::format("uname failed: {}", std::strerror(errno)));
  std::ifstream cpuinfo("/proc/cpuinfo"), os_release("/etc/os-release");
  environment.cpu = cpu_model(cpuinfo);
  if (environment.cpu.empty()) environment.cpu = system.machine;
  environment.cores = static_cast<int>(std::thread::hardware_concurrency());
  environment.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  environment.distribution = distribution_name(os_release);
  if (environment.distribution.empty()) environment.distribution = "unknown";
#ifdef __clang__
  environment.compiler = SHARDBENCH_COMPILER;
#else
  environment.compiler = "GCC " SHARDBENCH_COMPILER;
#endif
  environment.core_version = SHARDBENCH_VERSION;
  environment.commit = SHARDBENCH_COMMIT;
  environment.dirty = SHARDBENCH_DIRTY;
  environment.variables = recorded_variables(::environ);
  return environment;
}

PluginFile plugin_file(std::string kind, std::string name, std::string version, const std::filesystem::path& file) {
  std::ifstream in;
  if (std::filesystem::is_regular_file(file)) in.open(file, std::ios::binary);
  if (!in.is_open()) throw Error("the plugin is no file that can be read", file.string());
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return {std::move(kind), std::move(name), std::move(version), file.filename().string(), sha1(bytes), false};
}

void keep_plugin(const PluginFile& plugin, const std::filesystem::path& from, const std::filesystem::path& folder) {
  const std::filesystem::path to = folder / plugin.sha1;
  std::error_code failed;
  std::filesystem::create_directories(to, failed);
  if (!failed) std::filesystem::copy_file(from, to / plugin.file, std::filesystem::copy_options::skip_existing, failed);
  if (failed)
    throw Error("a copy of the plugin " + plugin.file + " cannot be kept: " + failed.message(), to.string(),
                "check the permissions, or name another folder with --keep-plugins");
}

}  // namespace shardbench
