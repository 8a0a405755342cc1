#include "planted/runner.hpp"

#include <sys/wait.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace shardbench::testing {

namespace fs = std::filesystem;

Outcome call_driver(const std::string& command, const std::string& suite, const std::string& flags) {
  std::string pattern = (fs::temp_directory_path() / "planted-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder " + pattern);
  const fs::path folder = pattern;
  const fs::path file = folder / "suite.toml", out = folder / "out";
  std::ofstream(file) << suite;
  std::string line = std::string(SHARDBENCH) + " " + command + PLUGIN_FLAGS + " " + flags;
  if (command != "list") line += " '" + file.string() + "'";
  if (command == "run") line += " --out '" + out.string() + "'";
  line += " 2>&1";
  Outcome outcome;
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + line);
  std::array<char, 4096> buffer{};
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (std::ifstream in(out / "results.json"); in) outcome.results = nlohmann::json::parse(in);
  fs::remove_all(folder);
  return outcome;
}

}  // namespace shardbench::testing
