#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/support.hpp"

namespace shardbench {
namespace {

using testing::ElementsAre;

TEST(Defaults, OfATrainingCase) {
  const Suite suite = parse(training());
  ASSERT_EQ(suite.cases.size(), 1U);
  const Case& c = suite.cases.front();
  EXPECT_EQ(c.id, "training/ddp/gloo/m/world=2/unit=root/adamw");
  EXPECT_EQ(c.suite, "suite");
  EXPECT_EQ(c.study, "");
  EXPECT_EQ(c.program, Program::training);
  EXPECT_EQ(c.strategy, "ddp");
  EXPECT_EQ(c.schedule, "");
  EXPECT_EQ(c.backend, "gloo");
  EXPECT_EQ(c.world, 2);
  EXPECT_EQ(c.horizon, 0);
  EXPECT_EQ(c.unit, UnitPolicy::root);
  EXPECT_EQ(c.optimizer.kind, OptimizerKind::adamw);
  EXPECT_TRUE(c.optimize);
  EXPECT_EQ(c.dtype, DType::float32);
  EXPECT_TRUE(c.options.empty());
  EXPECT_TRUE(c.backend_options.empty());
  EXPECT_EQ(c.batch, 32);
  EXPECT_EQ(c.steps, 3);
  EXPECT_EQ(c.warmup, 1);
  EXPECT_EQ(c.iterations, 5);
  EXPECT_EQ(c.launches, 1);
  EXPECT_EQ(c.seed, 0U);
  EXPECT_EQ(c.deadline_s, 60);
  EXPECT_EQ(c.expect, Expect::ok);
  EXPECT_EQ(c.place.text(), "suite.toml:5:1");
}

TEST(Defaults, OfAPipelineCaseHaveNoUpdate) {
  const Case c = parse(pipeline()).cases.front();
  EXPECT_EQ(c.id, "pipeline/1f1b/gloo/m/world=2/horizon=4");
  EXPECT_EQ(c.program, Program::pipeline);
  EXPECT_EQ(c.strategy, "");
  EXPECT_EQ(c.schedule, "1f1b");
  EXPECT_EQ(c.horizon, 4);
  EXPECT_FALSE(c.optimize);
}

TEST(Defaults, OfTheGate) {
  const Gate gate = parse_gate(training(), "suite.toml");
  EXPECT_EQ(gate.threshold, 0.15);
  EXPECT_EQ(gate.launches, 5);
  EXPECT_EQ(gate.significance, 0.05);
  EXPECT_TRUE(gate.metrics.empty());
  EXPECT_TRUE(gate.judges_time("step_median_s"));
  EXPECT_FALSE(gate.judges_time("update_s"));
}

TEST(Gate, TakesWhatTheSuiteSays) {
  const Gate gate = parse_gate(training({.more = R"([gate]
threshold = 0.1
significance = 0.01
[gate.metric.update_s]
threshold = 0.5
[gate.metric.wire_bytes]
launches = 7
better = "neither"
)"}),
                               "suite.toml");
  EXPECT_EQ(gate.threshold_of("step_median_s"), 0.1);
  EXPECT_EQ(gate.threshold_of("update_s"), 0.5);
  EXPECT_EQ(gate.launches_of("update_s"), 5);
  EXPECT_EQ(gate.launches_of("wire_bytes"), 7);
  EXPECT_EQ(gate.better_of("wire_bytes"), Better::neither);
  EXPECT_EQ(gate.better_of("update_s"), Better::smaller);
  EXPECT_TRUE(gate.judges_time("update_s"));
  EXPECT_EQ(gate.significance, 0.01);
}

TEST(Defaults, OfAModel) {
  const ModelSpec model = parse(training()).cases.front().model;
  EXPECT_EQ(model.name, "m");
  EXPECT_EQ(model.kind, "mlp");
  EXPECT_THAT(model.widths, ElementsAre(8, 8, 8, 8, 8));
  EXPECT_TRUE(model.bias);
  EXPECT_EQ(model.activation, Activation::none);
  EXPECT_EQ(model.loss, Loss::sum);
}

TEST(Defaults, EveryKeyOfATableIsTaken) {
  const Case c =
      parse(training({.more = "name = \"study\"\nunit = \"layer\"\nbackend = \"gloo\"\noptimizer = \"sgd\"\n"
                              "dtype = \"float32\"\nbatch = 4\nsteps = 5\nwarmup = 0\niterations = 6\n"
                              "launches = 7\nseed = 9223372036854775807\ndeadline_s = 0.5\nexpect = \"diverged\"\n"}))
          .cases.front();
  EXPECT_EQ(c.id, "study/training/ddp/gloo/m/world=2/unit=layer/sgd");
  EXPECT_EQ(c.study, "study");
  EXPECT_EQ(c.unit, UnitPolicy::layer);
  EXPECT_EQ(c.optimizer.kind, OptimizerKind::sgd);
  EXPECT_EQ(c.batch, 4);
  EXPECT_EQ(c.steps, 5);
  EXPECT_EQ(c.warmup, 0);
  EXPECT_EQ(c.iterations, 6);
  EXPECT_EQ(c.launches, 7);
  EXPECT_EQ(c.seed, 9223372036854775807U);
  EXPECT_EQ(c.deadline_s, 0.5);
  EXPECT_EQ(c.expect, Expect::diverged);
}

TEST(Defaults, EveryKeyOfAModelIsTaken) {
  const ModelSpec model =
      parse(with_model("kind = \"mlp\"\nwidths = [37, 11, 5]\nbias = false\nactivation = \"relu\"\nloss = \"mse\"\n"))
          .cases.front()
          .model;
  EXPECT_THAT(model.widths, ElementsAre(37, 11, 5));
  EXPECT_EQ(model.layers(), 2);
  EXPECT_FALSE(model.bias);
  EXPECT_EQ(model.activation, Activation::relu);
  EXPECT_EQ(model.loss, Loss::mse);
}

TEST(Defaults, EveryKeyOfAnOptimizerIsTaken) {
  const auto suite = parse(training({.more = "optimizer = [\"a\", \"b\", \"sgd\"]\n"
                                             "[optimizer.a]\nkind = \"adamw\"\nlearning_rate = 1\nbeta1 = 0.5\n"
                                             "beta2 = 0.25\nepsilon = 0.125\nweight_decay = 0\n"
                                             "[optimizer.b]\nkind = \"momentum\"\nmomentum = 0.75\n"
                                             "[optimizer.sgd]\nlearning_rate = 0.5\n"}));
  EXPECT_THAT(ids_of(suite),
              ElementsAre("training/ddp/gloo/m/world=2/unit=root/a", "training/ddp/gloo/m/world=2/unit=root/b",
                          "training/ddp/gloo/m/world=2/unit=root/sgd"));
  const OptimizerSpec a = suite.cases[0].optimizer, b = suite.cases[1].optimizer, sgd = suite.cases[2].optimizer;
  EXPECT_EQ(a.kind, OptimizerKind::adamw);
  EXPECT_EQ(a.learning_rate, 1);
  EXPECT_EQ(a.beta1, 0.5);
  EXPECT_EQ(a.beta2, 0.25);
  EXPECT_EQ(a.epsilon, 0.125);
  EXPECT_EQ(a.weight_decay, 0);
  EXPECT_EQ(b.kind, OptimizerKind::momentum);
  EXPECT_EQ(b.learning_rate, OptimizerSpec{}.learning_rate);
  EXPECT_EQ(b.momentum, 0.75);
  EXPECT_EQ(sgd.kind, OptimizerKind::sgd);
  EXPECT_EQ(sgd.learning_rate, 0.5);
}

TEST(DefaultsTable, IsTakenWhereATableSaysNothing) {
  const auto suite = parse(
      "schema = 1\n[model.m]\nlayers = 2\nwidth = 4\n"
      "[defaults]\nworld = [1, 2]\nmodel = \"m\"\nhorizon = 2\nunit = \"layer\"\nbatch = 6\nsteps = 7\nseed = 8\n"
      "[[training]]\nstrategy = \"ddp\"\n[[training]]\nname = \"own\"\nstrategy = \"ddp\"\nworld = 4\nsteps = 1\n"
      "[[pipeline]]\nschedule = \"gpipe\"\n");
  EXPECT_THAT(
      ids_of(suite),
      ElementsAre("training/ddp/gloo/m/world=1/unit=layer/adamw", "training/ddp/gloo/m/world=2/unit=layer/adamw",
                  "own/training/ddp/gloo/m/world=4/unit=layer/adamw", "pipeline/gpipe/gloo/m/world=1/horizon=2",
                  "pipeline/gpipe/gloo/m/world=2/horizon=2"));
  EXPECT_EQ(suite.cases[0].steps, 7);
  EXPECT_EQ(suite.cases[2].steps, 1);
  for (const auto& c : suite.cases) {
    EXPECT_EQ(c.batch, 6);
    EXPECT_EQ(c.seed, 8U);
  }
}

TEST(DefaultsTable, OptimizerIsForPipelinesToo) {
  const Case c = parse(pipeline({.more = "[defaults]\noptimizer = \"sgd\"\n"})).cases.front();
  EXPECT_EQ(c.id, "pipeline/1f1b/gloo/m/world=2/horizon=4/sgd");
  EXPECT_TRUE(c.optimize);
  EXPECT_EQ(c.optimizer.kind, OptimizerKind::sgd);
}

}  // namespace
}  // namespace shardbench
