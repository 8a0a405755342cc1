#include "plugin/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using testing::Environment;

std::vector<std::string> origins(const std::vector<SearchStep>& steps) {
  std::vector<std::string> origins;
  for (const auto& step : steps) origins.push_back(step.origin);
  return origins;
}

TEST(Search, GoesFromTheCommandLineToTheInstall) {
  const Environment path("SHARDBENCH_PLUGIN_PATH", "/a::/b/c.so");
  const auto steps = default_search({"x.so"}, {"/suite/plugins"});
  EXPECT_THAT(origins(steps), ElementsAre("--plugin", "suite", "SHARDBENCH_PLUGIN_PATH", "install"));
  EXPECT_TRUE(steps[0].explicit_files);
  EXPECT_THAT(steps[0].paths, ElementsAre("x.so"));
  EXPECT_FALSE(steps[1].explicit_files);
  EXPECT_THAT(steps[1].paths, ElementsAre("/suite/plugins"));
  EXPECT_THAT(steps[2].paths, ElementsAre("/a", "/b/c.so"));
  EXPECT_THAT(steps[3].paths, ElementsAre(executable_folder().parent_path() / "lib/shardbench/plugins"));
}

TEST(Search, LeavesOutStepsWithoutPaths) {
  const Environment path("SHARDBENCH_PLUGIN_PATH", "");
  EXPECT_THAT(origins(default_search({}, {})), ElementsAre("install"));
}

TEST(Search, CallsAFolderWithACMakeCacheABuild) {
  const Environment path("SHARDBENCH_PLUGIN_PATH", "");
  const auto cache = executable_folder().parent_path() / "CMakeCache.txt";
  ASSERT_FALSE(std::filesystem::exists(cache));
  std::ofstream(cache) << "";
  EXPECT_THAT(origins(default_search({}, {})), ElementsAre("build"));
  std::filesystem::remove(cache);
}

}  // namespace
}  // namespace shardbench
