#include "plugin/loaded.hpp"

#include <gtest/gtest.h>

#include "plugin/descriptor.hpp"
#include "shardbench/schedule.hpp"
#include "support.hpp"

namespace shardbench {
namespace {

using testing::error_of;
using testing::fixture;
using testing::Folder;

TEST(LoadedPlugin, HasEntryPointsThatRun) {
  const LoadedPlugin plugin(read_plugin(fixture("right"), "suite"));
  const ScheduleInput in{2, 1, 3, {}};
  const auto plan = plugin.descriptor().schedule_plan(in);
  EXPECT_EQ(plan.placement, (std::vector<int>{0, 1}));
  EXPECT_EQ(plan.ranks.at(1).actions.size(), 6u);
  EXPECT_EQ(plugin.descriptor().schedule_law(in, 0).peak_in_flight, 3);
}

TEST(LoadedPlugin, NamesTheUndefinedSymbol) {
  const auto error = error_of([] { LoadedPlugin(read_plugin(fixture("undefined"), "suite")); });
  EXPECT_EQ(error.problem(), "the loader refuses schedule 'right': " + fixture("undefined").string() +
                                 ": undefined symbol: a_function_that_no_library_has");
  EXPECT_EQ(error.where(), fixture("undefined").string());
  EXPECT_EQ(error.cure(), "link the plugin to every library that it uses (-Wl,-z,defs finds what is missing)");
}

TEST(LoadedPlugin, NeedsItsEntryPoints) {
  const auto error = error_of([] { LoadedPlugin(read_plugin(fixture("no_entry"), "suite")); });
  EXPECT_EQ(error.problem(), "its descriptor lacks an entry point of a schedule");
}

TEST(LoadedPlugin, MatchesAgainWhatTheLoaderMapped) {
  const Folder folder;
  const auto info = read_plugin(folder.copy(fixture("right"), "p.so"), "suite");
  folder.copy(fixture("abi"), "q.so");
  std::filesystem::rename(folder.path() / "q.so", folder.path() / "p.so");
  const auto error = error_of([&] { LoadedPlugin plugin(info); });
  EXPECT_EQ(error.problem(), "its abi is 999, but this driver's is " + std::to_string(plugin_abi));
}

TEST(LoadedPlugin, IsStillTheOneThatWasFound) {
  const Folder folder;
  const auto info = read_plugin(folder.copy(fixture("right"), "p.so"), "suite");
  folder.copy(fixture("other"), "q.so");
  std::filesystem::rename(folder.path() / "q.so", folder.path() / "p.so");
  const auto error = error_of([&] { LoadedPlugin plugin(info); });
  EXPECT_EQ(error.problem(), "its file held schedule 'right', but what was loaded is schedule 'other'");
  EXPECT_EQ(error.cure(), "do not replace a plugin's file during a run");
}

TEST(LoadedPlugin, MustStillBeAPlugin) {
  const Folder folder;
  const auto info = read_plugin(folder.copy(fixture("right"), "p.so"), "suite");
  folder.copy(LIBRARY_WITHOUT_DESCRIPTOR, "q.so");
  std::filesystem::rename(folder.path() / "q.so", folder.path() / "p.so");
  const auto error = error_of([&] { LoadedPlugin plugin(info); });
  EXPECT_EQ(error.problem(), "it no longer exports shardbench_plugin");
}

}  // namespace
}  // namespace shardbench
