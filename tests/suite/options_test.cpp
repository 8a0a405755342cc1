#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/support.hpp"

namespace shardbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Options, AreAnAxisOfThoseThatDeclareThemAndOthersRunOnce) {
  const Suite suite = parse(
      training({.strategy = "[\"ddp\", \"zero1\"]", .more = "options = { partition = [\"flat\", \"greedy\"] }\n"}));
  EXPECT_THAT(ids_of(suite), ElementsAre("training/ddp/gloo/m/world=2/unit=root/adamw",
                                         "training/zero1/gloo/m/world=2/unit=root/adamw/partition=flat",
                                         "training/zero1/gloo/m/world=2/unit=root/adamw/partition=greedy"));
  EXPECT_TRUE(suite.cases[0].options.empty());
  EXPECT_THAT(suite.cases[1].options, ElementsAre(Pair("partition", "flat")));
  EXPECT_THAT(suite.cases[2].options, ElementsAre(Pair("partition", "greedy")));
}

TEST(Options, OfTheBackendAreAnAxisToo) {
  const Suite suite = parse(training({.more = "backend_options = { mode = [\"async\", \"sync\"], port = 7 }\n"}));
  EXPECT_THAT(ids_of(suite), ElementsAre("training/ddp/gloo/m/world=2/unit=root/adamw/mode=async/port=7",
                                         "training/ddp/gloo/m/world=2/unit=root/adamw/mode=sync/port=7"));
  EXPECT_TRUE(suite.cases[0].options.empty());
  EXPECT_THAT(suite.cases[0].backend_options, ElementsAre(Pair("mode", "async"), Pair("port", "7")));
}

TEST(Options, TakeTextIntegersAndBooleansWhereAnythingIsAllowed) {
  const Suite suite = parse(training({.more = "[training.backend_options]\nport = [\"/dev/x\", 0x10, true]\n"}));
  EXPECT_THAT(suite.cases[0].backend_options, ElementsAre(Pair("port", "/dev/x")));
  EXPECT_THAT(suite.cases[1].backend_options, ElementsAre(Pair("port", "16")));
  EXPECT_THAT(suite.cases[2].backend_options, ElementsAre(Pair("port", "true")));
}

TEST(Options, InDefaultsGoToTheTablesThatCanUseThem) {
  const Suite suite = parse(training({.more = "[[training]]\nstrategy = \"zero1\"\nworld = 2\nmodel = \"m\"\n"
                                              "[[training]]\nname = \"own\"\nstrategy = \"zero1\"\nworld = 2\n"
                                              "model = \"m\"\noptions = { partition = \"greedy\" }\n"
                                              "[defaults]\noptions = { partition = \"flat\" }\n"
                                              "backend_options = { mode = \"sync\" }\n"}));
  EXPECT_THAT(ids_of(suite),
              ElementsAre("training/ddp/gloo/m/world=2/unit=root/adamw/mode=sync",
                          "training/zero1/gloo/m/world=2/unit=root/adamw/partition=flat/mode=sync",
                          "own/training/zero1/gloo/m/world=2/unit=root/adamw/partition=greedy/mode=sync"));
}

}  // namespace
}  // namespace shardbench
