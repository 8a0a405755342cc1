#include "plugin/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::fixture;
using testing::Folder;

std::vector<std::string> lines(const std::vector<RefusedPlugin>& refused) {
  std::vector<std::string> lines;
  for (const auto& plugin : refused)
    for (const auto& reason : plugin.reasons) lines.push_back(plugin.file.filename().string() + ": " + reason);
  return lines;
}

TEST(Catalogue, FindsByKindAndName) {
  const Catalogue catalogue({{"suite", {fixture("right"), fixture("other")}, false}});
  ASSERT_NE(catalogue.find(PluginKind::schedule, "right"), nullptr);
  EXPECT_EQ(catalogue.find(PluginKind::schedule, "right")->origin, "suite");
  EXPECT_EQ(catalogue.find(PluginKind::strategy, "right"), nullptr);
  EXPECT_EQ(catalogue.find(PluginKind::schedule, "righ"), nullptr);
  EXPECT_THAT(catalogue.names(PluginKind::schedule), ElementsAre("other", "right"));
  EXPECT_TRUE(catalogue.names(PluginKind::comm).empty());
  EXPECT_TRUE(catalogue.refused().empty());
}

TEST(Catalogue, LooksAtTheLibrariesOfAFolderInSortedOrder) {
  const Folder folder;
  folder.copy(fixture("right"), "z.so");
  folder.copy(fixture("other"), "a.so");
  folder.copy(fixture("abi"), "m.so");
  folder.copy(fixture("magic"), "k.so");
  folder.write("notes.txt", {'x'});
  const Catalogue catalogue({{"install", {folder.path()}, false}});
  ASSERT_EQ(catalogue.plugins().size(), 2u);
  EXPECT_EQ(catalogue.plugins()[0].file, folder.path() / "a.so");
  EXPECT_EQ(catalogue.plugins()[1].file, folder.path() / "z.so");
  EXPECT_THAT(lines(catalogue.refused()),
              ElementsAre("k.so: its magic is not 'SHRDBNCH', so its constant shardbench_plugin is no descriptor; "
                          "write the descriptor with the macros of shardbench/plugin.hpp",
                          "m.so: its abi is 999, but this driver's is " + std::to_string(plugin_abi) +
                              "; rebuild the plugin with the headers of "
                              "shardbench " SHARDBENCH_VERSION));
}

TEST(Catalogue, AnEarlierStepShadowsALaterOne) {
  const Catalogue catalogue({{"suite", {fixture("right_again")}, false}, {"build", {fixture("right")}, false}});
  EXPECT_EQ(catalogue.find(PluginKind::schedule, "right")->file, fixture("right_again"));
  ASSERT_EQ(catalogue.shadowed().size(), 1u);
  EXPECT_EQ(catalogue.shadowed()[0].file, fixture("right"));
  EXPECT_EQ(catalogue.shadowed()[0].origin, "build");
  EXPECT_TRUE(catalogue.refused().empty());
}

TEST(Catalogue, TwoOfOneNameInAStepRefuseEachOther) {
  const Catalogue catalogue({{"suite", {fixture("right"), fixture("other"), fixture("right_again")}, false}});
  EXPECT_THAT(catalogue.names(PluginKind::schedule), ElementsAre("other"));
  EXPECT_THAT(lines(catalogue.refused()),
              ElementsAre("schedule_right.so: it is schedule 'right', and so is " + fixture("right_again").string() +
                              " in the same step of the search (suite); remove or rename one of them",
                          "schedule_right_again.so: it is schedule 'right', and so is " + fixture("right").string() +
                              " in the same step of the search (suite); remove or rename one of them"));
}

TEST(Catalogue, TwoExplicitFilesOfOneNameAreAnError) {
  const auto error = error_of([] { Catalogue({{"--plugin", {fixture("right"), fixture("right_again")}, true}}); });
  EXPECT_EQ(error.problem(), "this plugin cannot be used: it is schedule 'right', and so is " +
                                 fixture("right_again").string() + " in the same step of the search (--plugin)");
  EXPECT_EQ(error.where(), fixture("right").string());
}

TEST(Catalogue, OneFileNamedTwiceIsOnePlugin) {
  const Folder folder;
  std::filesystem::create_symlink(fixture("right"), folder.path() / "link.so");
  const Catalogue catalogue({{"suite", {fixture("right"), fixture("right"), folder.path()}, false}});
  EXPECT_THAT(catalogue.names(PluginKind::schedule), ElementsAre("right"));
  EXPECT_TRUE(catalogue.refused().empty());
}

TEST(Catalogue, AnExplicitFileThatIsRefusedIsAnError) {
  const auto error = error_of([] { Catalogue({{"--plugin", {fixture("abi")}, true}}); });
  EXPECT_EQ(error.what(), "this plugin cannot be used: its abi is 999, but this driver's is " +
                              std::to_string(plugin_abi) + "\n  where: " + fixture("abi").string() +
                              "\n  what to do: rebuild the plugin with the headers of shardbench " SHARDBENCH_VERSION);
}

TEST(Catalogue, ListsEveryReasonOfEveryFileThatTheUserNamed) {
  const Catalogue catalogue({{"--plugin", {fixture("abi"), fixture("several"), fixture("right")}, true}},
                            Catalogue::Refused::listed);
  EXPECT_THAT(catalogue.names(PluginKind::schedule), ElementsAre("right"));
  const std::string macros = "; write the descriptor with the macros of shardbench/plugin.hpp";
  EXPECT_THAT(
      lines(catalogue.refused()),
      ElementsAre(
          "schedule_abi.so: its abi is 999, but this driver's is " + std::to_string(plugin_abi) +
              "; rebuild the plugin with the headers of shardbench " SHARDBENCH_VERSION,
          "schedule_several.so: its compiler is 'xxx', but this driver's is '" SHARDBENCH_COMPILER
          "'; rebuild the plugin with compiler version " SHARDBENCH_COMPILER ", or shardbench with the plugin's",
          "schedule_several.so: its name is 'Right-1', but a name is made of a to z, 0 to 9 and '_'; rename "
          "the plugin",
          "schedule_several.so: its description contains control characters, but must be one line of text" + macros,
          "schedule_several.so: its options are 'order', but 'order' has no '='; write them as "
          "\"partition=greedy|flat;bucket_mb=*\""));
  EXPECT_TRUE(catalogue.refused().front().named);
}

TEST(Catalogue, AMissingExplicitFileIsAnError) {
  const auto error = error_of([] { Catalogue({{"--plugin", {"/nowhere/x.so"}, true}}); });
  EXPECT_EQ(error.problem(), "this plugin cannot be used: there is no such file or folder");
  EXPECT_EQ(error.where(), "/nowhere/x.so");
}

TEST(Catalogue, AnExplicitFolderWithoutLibrariesIsAnError) {
  const Folder folder;
  const auto error = error_of([&] { Catalogue({{"--plugin", {folder.path()}, true}}); });
  EXPECT_EQ(error.problem(), "this plugin cannot be used: the folder holds no .so file");
}

TEST(Catalogue, AMissingFolderIsALine) {
  const Catalogue catalogue({{"SHARDBENCH_PLUGIN_PATH", {"/nowhere"}, false}});
  EXPECT_THAT(lines(catalogue.refused()), ElementsAre("nowhere: there is no such file or folder; correct the path"));
}

TEST(Catalogue, CanBeMadeOfNames) {
  PluginInfo info;
  info.kind = PluginKind::strategy;
  info.name = "ddp";
  EXPECT_THAT(Catalogue::of({info}).names(PluginKind::strategy), ElementsAre("ddp"));
}

}  // namespace
}  // namespace shardbench
