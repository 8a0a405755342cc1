#include "cli/versions.hpp"

#include <fmt/core.h>
#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "result/fingerprint.hpp"
#include "shardbench/plugin.hpp"

namespace shardbench {

std::string versions_text() {
  return fmt::format(
      "shardbench {} (plugin ABI {}, commit {})\ncompiler {}, {}\nLibTorch {}\nGoogle Benchmark {}\nBoost "
      "{}.{}.{}\ntoml++ "
      "{}\nCLI11 {}\n"
      "nlohmann-json {}.{}.{}\nfmt {}.{}.{}",
      SHARDBENCH_VERSION, plugin_abi, collect_environment().commit_text(), SHARDBENCH_COMPILER,
      SHARDBENCH_LIBSTDCXX_ABI, SHARDBENCH_TORCH_VERSION, SHARDBENCH_BENCHMARK_VERSION, BOOST_VERSION / 100000,
      BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, SHARDBENCH_TOMLPLUSPLUS_VERSION, CLI11_VERSION,
      NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

}  // namespace shardbench
