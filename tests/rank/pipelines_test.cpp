#include <cmath>
#include <string>

#include "rank/green_suites.hpp"

namespace shardbench {
namespace {

using testing::odd_model;
using Pipelines = testing::RealRanks;

TEST_F(Pipelines, HaveStagesOfAnyShape) {
  const auto suite = testing::write_file(folder_.path() / "pipelines.toml", std::string(odd_model) + R"(
[[pipeline]]
schedule = ["gpipe", "1f1b"]
world = [1, 2, 3]
horizon = [1, 3, 15]
batch = 15
[[pipeline]]
name = "updated"
schedule = ["gpipe", "1f1b"]
world = 3
horizon = 2
batch = 4
model = ["odd", "bare"]
optimizer = ["adamw", "momentum"]
)");
  EXPECT_EQ(green(suite).size(), 26u);
}

/// 8 layers of unequal widths.
constexpr auto stages_model = R"(schema = 1
[model.relu]
widths = [24, 17, 33, 8, 40, 16, 9, 31, 5]
activation = "relu"
loss = "mse"
[model.plain]
widths = [24, 17, 33, 8, 40, 16, 9, 31, 5]
[defaults]
steps = 3
iterations = 1
warmup = 0
deadline_s = 300
)";

// Stages anywhere, several on a rank, neighbours on one rank, messages both ways between two ranks, backward whole or
// in two parts, in any order: every number is that of the serial run and of the plan.
TEST_F(Pipelines, RunAnyValidPlan) {
  const auto suite = testing::write_file(folder_.path() / "shuffled.toml", std::string(stages_model) + R"(
[[pipeline]]
schedule = "shuffled"
world = 2
horizon = 6
batch = 18
model = ["relu", "plain"]
optimizer = "adamw"
options = { seed = [0, 1], chunks = [1, 3], split = ["yes", "mixed"] }
[[pipeline]]
schedule = "shuffled"
world = 4
horizon = 4
batch = 4
model = ["relu", "plain"]
options = { seed = [2, 3], chunks = 2, split = "mixed" }
[[pipeline]]
schedule = "shuffled"
world = 1
horizon = 3
batch = 6
model = "relu"
options = { seed = 4, chunks = 4, split = ["no", "mixed"] }
)");
  EXPECT_EQ(green(suite, {"--plugin", SHUFFLED}).size(), 22u);
}

// Two microbatches of 256 rows of Linear(4, 64), in the second one's F: weights 1280, the batch 8192, and 5 x 65536:
// one microbatch's targets, both outputs, mse_loss's squares and the storage of its result; and 12 for the number that
// divides the squares' sum.
TEST_F(Pipelines, PeakInAnMseLossThatOutweighsTheParameters) {
  const auto suite = testing::write_file(folder_.path() / "mse.toml", R"(schema = 1
[model.m]
widths = [4, 64]
loss = "mse"
[[pipeline]]
schedule = "gpipe"
world = 1
horizon = 2
model = "m"
batch = 512
)");
  EXPECT_EQ(green(suite).at("pipeline/gpipe/gloo/m/world=1/horizon=2").at("peak_bytes"), "337164");
}

// The same 16 rows of the same model: in training, and cut into any number of microbatches, by any schedule, over any
// number of ranks.
TEST_F(Pipelines, HaveOneLossWhateverCutsTheBatch) {
  const auto suite = testing::write_file(folder_.path() / "loss.toml", R"(schema = 1
[defaults]
warmup = 0
iterations = 1
batch = 16
model = ["mse", "sum"]
optimizer = "fast"
[optimizer.fast]
kind = "sgd"
learning_rate = 0.01
[model.mse]
layers = 4
width = 8
loss = "mse"
[model.sum]
layers = 4
width = 8
loss = "sum"
[[training]]
strategy = "ddp"
world = 1
[[pipeline]]
world = [1, 2, 4]
schedule = ["gpipe", "1f1b", "zb_h1"]
horizon = [1, 2, 4, 8, 16]
)");
  const auto rows = green(suite);
  ASSERT_EQ(rows.size(), 2u * (1 + 3 * 3 * 5));
  for (const char* loss : {"mse", "sum"}) {
    const auto& wanted = rows.at("training/ddp/gloo/" + std::string(loss) + "/world=1/unit=root/fast");
    for (const char* column : {"loss_first", "loss_last"}) {
      const double whole = std::stod(wanted.at(column));
      for (const auto& [id, row] : rows) {
        if (row.at("model") != loss) continue;
        EXPECT_NEAR(std::stod(row.at(column)), whole, 1e-4 * std::abs(whole)) << id << ", " << column;
      }
    }
  }
}

}  // namespace
}  // namespace shardbench
