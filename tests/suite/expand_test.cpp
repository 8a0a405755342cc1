#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/support.hpp"

namespace shardbench {
namespace {

using testing::ElementsAre;

TEST(Expand, KeepsTheOrderOfListsAndRunsTheLastAxisFastest) {
  EXPECT_THAT(
      ids_of(parse(training({.strategy = "[\"zero3\", \"ddp\"]",
                             .world = "[4, 2]",
                             .more = "unit = [\"layer\", \"root\"]\noptimizer = [\"sgd\", \"adamw\"]\n"}))),
      ElementsAre("training/zero3/gloo/m/world=4/unit=layer/sgd", "training/zero3/gloo/m/world=4/unit=layer/adamw",
                  "training/zero3/gloo/m/world=4/unit=root/sgd", "training/zero3/gloo/m/world=4/unit=root/adamw",
                  "training/zero3/gloo/m/world=2/unit=layer/sgd", "training/zero3/gloo/m/world=2/unit=layer/adamw",
                  "training/zero3/gloo/m/world=2/unit=root/sgd", "training/zero3/gloo/m/world=2/unit=root/adamw",
                  "training/ddp/gloo/m/world=4/unit=layer/sgd", "training/ddp/gloo/m/world=4/unit=layer/adamw",
                  "training/ddp/gloo/m/world=4/unit=root/sgd", "training/ddp/gloo/m/world=4/unit=root/adamw",
                  "training/ddp/gloo/m/world=2/unit=layer/sgd", "training/ddp/gloo/m/world=2/unit=layer/adamw",
                  "training/ddp/gloo/m/world=2/unit=root/sgd", "training/ddp/gloo/m/world=2/unit=root/adamw"));
}

TEST(Expand, AxesOfAPipeline) {
  EXPECT_THAT(ids_of(parse(pipeline({.schedule = "[\"gpipe\", \"1f1b\"]",
                                     .world = "[1, 4]",
                                     .horizon = "[2, 8]",
                                     .model = "[\"m\", \"n\"]",
                                     .more = "[model.n]\nwidths = [4, 3, 2, 1, 5]\n"}))),
              ElementsAre("pipeline/gpipe/gloo/m/world=1/horizon=2", "pipeline/gpipe/gloo/n/world=1/horizon=2",
                          "pipeline/gpipe/gloo/m/world=1/horizon=8", "pipeline/gpipe/gloo/n/world=1/horizon=8",
                          "pipeline/gpipe/gloo/m/world=4/horizon=2", "pipeline/gpipe/gloo/n/world=4/horizon=2",
                          "pipeline/gpipe/gloo/m/world=4/horizon=8", "pipeline/gpipe/gloo/n/world=4/horizon=8",
                          "pipeline/1f1b/gloo/m/world=1/horizon=2", "pipeline/1f1b/gloo/n/world=1/horizon=2",
                          "pipeline/1f1b/gloo/m/world=1/horizon=8", "pipeline/1f1b/gloo/n/world=1/horizon=8",
                          "pipeline/1f1b/gloo/m/world=4/horizon=2", "pipeline/1f1b/gloo/n/world=4/horizon=2",
                          "pipeline/1f1b/gloo/m/world=4/horizon=8", "pipeline/1f1b/gloo/n/world=4/horizon=8"));
}

TEST(Expand, TrainingTablesComeBeforePipelinesEachInTheirOrder) {
  const std::string text =
      "schema = 1\n[model.m]\nlayers = 2\nwidth = 4\n[defaults]\nworld = 2\nhorizon = 2\nmodel = \"m\"\n"
      "[[pipeline]]\nschedule = \"gpipe\"\n[[training]]\nstrategy = \"zero2\"\n"
      "[[training]]\nstrategy = \"ddp\"\n";
  EXPECT_THAT(ids_of(parse(text)),
              ElementsAre("training/zero2/gloo/m/world=2/unit=root/adamw",
                          "training/ddp/gloo/m/world=2/unit=root/adamw", "pipeline/gpipe/gloo/m/world=2/horizon=2"));
}

TEST(Expand, PipelineOptimizersMayIncludeNone) {
  const Suite suite = parse(pipeline({.more = "optimizer = [\"none\", \"adamw\"]\n"}));
  EXPECT_THAT(ids_of(suite),
              ElementsAre("pipeline/1f1b/gloo/m/world=2/horizon=4", "pipeline/1f1b/gloo/m/world=2/horizon=4/adamw"));
  EXPECT_FALSE(suite.cases[0].optimize);
  EXPECT_TRUE(suite.cases[1].optimize);
}

TEST(Expand, NamesKeepOtherwiseEqualTablesApart) {
  const Suite suite = parse(training({.more = "[[training]]\nname = \"again\"\nstrategy = \"ddp\"\nworld = 2\n"
                                              "model = \"m\"\nsteps = 9\n"}));
  EXPECT_THAT(ids_of(suite), ElementsAre("training/ddp/gloo/m/world=2/unit=root/adamw",
                                         "again/training/ddp/gloo/m/world=2/unit=root/adamw"));
}

TEST(Expand, InlineTablesAreTables) {
  EXPECT_THAT(ids_of(parse("schema = 1\nmodel.m = { layers = 1, width = 1 }\n"
                           "training = [{ strategy = \"ddp\", world = 1, model = \"m\" }]\n")),
              ElementsAre("training/ddp/gloo/m/world=1/unit=root/adamw"));
}

TEST(Expand, AsManyStagesAsLayersAreFine) { EXPECT_EQ(parse(pipeline({.world = "4"})).cases.size(), 1U); }

TEST(Expand, MoreRanksThanLayersAreFineInTraining) { EXPECT_EQ(parse(training({.world = "64"})).cases.size(), 1U); }

TEST(Expand, HorizonMayBeTheWholeBatch) { EXPECT_EQ(parse(pipeline({.horizon = "[1, 32]"})).cases.size(), 2U); }

TEST(Expand, TheLargestModelIsTaken) {
  // 46340^2 = 2147395600, below 2^31 - 1 = 2147483647.
  EXPECT_EQ(parse(with_model("widths = [46340, 46340]\nbias = false\n")).cases.size(), 1U);
}

}  // namespace
}  // namespace shardbench
