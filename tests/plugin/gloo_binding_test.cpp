#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "support.hpp"

// LibTorch's wheel exports Gloo symbols of another version than the system's. A comm plugin that is linked to the
// system's Gloo and binds one of them crashes, so the two are loaded in a way that keeps them apart (docs/design.md,
// "Two halves").

namespace shardbench {
namespace {

/// Symbols of Gloo that the loader bound, counted by the libraries on both sides.
struct Bindings {
  int to_gloo = 0;        ///< from the plugin to the system's Gloo: as it should be
  int gloo_to_torch = 0;  ///< from the plugin or the system's Gloo to LibTorch
  int torch_to_gloo = 0;  ///< from LibTorch to the plugin or the system's Gloo
};

bool is_torch(const std::string& file) {
  return file.find("libtorch") != std::string::npos || file.find("libc10") != std::string::npos;
}

bool is_gloo(const std::string& file) {
  return file.find("libgloo") != std::string::npos || file.find("comm_gloo") != std::string::npos;
}

/// Runs fixtures/load_both.cpp under the loader's own log of bindings (LD_DEBUG, ld.so(8)).
Bindings bindings_of(const std::string& mode) {
  const testing::Folder folder;
  const std::string command = "LD_DEBUG=bindings LD_DEBUG_OUTPUT='" + (folder.path() / "log").string() +
                              "' SHARDBENCH_RANK_LIBRARY='" RANK_LIBRARY "' '" LOAD_BOTH "' '" COMM_GLOO "' " + mode;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::regex line_form("binding file (.*) \\[[0-9]+\\] to (.*) \\[[0-9]+\\]: .* symbol `([^']*)'.*");
  Bindings bindings;
  for (const auto& log : std::filesystem::directory_iterator(folder.path())) {
    std::ifstream stream(log.path());
    for (std::string line; std::getline(stream, line);) {
      if (line.find("4gloo") == std::string::npos) continue;  // the namespace, mangled
      std::smatch parts;
      if (!std::regex_search(line, parts, line_form)) continue;
      const std::string from = parts[1], to = parts[2];
      bindings.to_gloo += from.find("comm_gloo") != std::string::npos && to.find("libgloo") != std::string::npos;
      bindings.gloo_to_torch += is_gloo(from) && is_torch(to);
      bindings.torch_to_gloo += is_torch(from) && is_gloo(to);
    }
  }
  return bindings;
}

TEST(GlooBinding, StaysWithinTheSystemsGloo) {
  const auto bindings = bindings_of("local");
  EXPECT_GT(bindings.to_gloo, 0);
  EXPECT_EQ(bindings.gloo_to_torch, 0);
  EXPECT_EQ(bindings.torch_to_gloo, 0);
}

TEST(GlooBinding, WouldCrossIfTheRanksLibraryWereGlobal) { EXPECT_GT(bindings_of("global").gloo_to_torch, 0); }

}  // namespace
}  // namespace shardbench
