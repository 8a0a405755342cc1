#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rank/green_suites.hpp"

namespace shardbench {
namespace {

using testing::odd_model;
using testing::RealRanks;

// Numbers of the notebook (PyTorch 2.13, CPU, Gloo); the suite's reference file has them all.
TEST_F(RealRanks, MeetTheNotebooksNumbers) {
  auto rows = green(SHARDBENCH_SUITES "/notebook-3.13.toml");
  ASSERT_EQ(rows.size(), 24u);
  const auto total = [&](const std::string& strategy, const char* world) {
    return rows["training/" + strategy + "/gloo/notebook/world=" + world + "/unit=root/adamw"]["total_bytes"];
  };
  EXPECT_EQ(total("ddp", "4"), "8421440");
  EXPECT_EQ(total("zero1", "2"), "6316064");
  EXPECT_EQ(total("zero1", "4"), "5263376");
  EXPECT_EQ(total("zero2", "2"), "4210692");
  EXPECT_EQ(total("zero3", "4"), "2105348");
  const auto saved = [&](const std::string& schedule) {
    return rows["pipeline/" + schedule + "/gloo/pipeline-2x32/world=2/horizon=8"]["saved_peak"];
  };
  EXPECT_EQ(saved("gpipe"), "40");
  EXPECT_EQ(saved("1f1b"), "5");

  // Every case has numbers in the reference file, and all of them were looked at.
  const auto results = nlohmann::json::parse(testing::contents(folder_.path() / "out/results.json"));
  int compared = 0;
  for (const auto& result : results.at("cases"))
    for (const auto& invariant : result.at("invariants"))
      if (invariant.at("name") == "reference_file") {
        EXPECT_EQ(invariant.at("verdict"), "passed") << result.at("case") << ": " << invariant.at("message");
        ++compared;
      }
  EXPECT_EQ(compared, 24);
}

TEST_F(RealRanks, TrainOddShapesInEveryWorld) {
  const auto suite = testing::write_file(folder_.path() / "odd.toml", std::string(odd_model) + R"(
[[training]]
strategy = ["ddp", "zero2", "zero3", "fsdp2"]
world = [1, 2, 3, 4, 8]
unit = ["root", "layer"]
batch = 3
[[training]]
strategy = "zero1"
world = [1, 2, 3, 4, 8]
unit = ["root", "layer"]
options = { partition = ["greedy", "flat"] }
batch = 3
)");
  EXPECT_EQ(green(suite).size(), 60u);
}

TEST_F(RealRanks, TrainWithoutBiasAndWithEveryOptimizer) {
  const auto suite = testing::write_file(folder_.path() / "bare.toml", std::string(odd_model) + R"(
[[training]]
strategy = ["ddp", "zero1", "zero2", "zero3", "fsdp2"]
world = 3
unit = ["root", "layer"]
optimizer = ["adamw", "sgd", "momentum"]
model = "bare"
batch = 5
[[training]]
strategy = "zero1"
world = 3
options = { partition = "flat" }
optimizer = ["sgd", "momentum"]
batch = 1
)");
  EXPECT_EQ(green(suite).size(), 32u);
}

// Linear(4, 64) on 256 rows: weights and gradients 2 x 1280, the batch 4096, and 4 x 65536: targets, output, mse_loss's
// squares and the storage of its result, with 12 for the number that divides the squares' sum. After a relu backward
// has as much, but for 8 bytes: targets, the saved output, and the gradients after and before it.
TEST_F(RealRanks, PeakInAnMseLossThatOutweighsTheParameters) {
  const auto suite = testing::write_file(folder_.path() / "mse.toml", R"(schema = 1
[model.none]
widths = [4, 64]
loss = "mse"
[model.relu]
widths = [4, 64]
loss = "mse"
activation = "relu"
[[training]]
strategy = "ddp"
optimizer = "sgd"
world = 2
model = ["none", "relu"]
batch = 256
steps = 1
)");
  auto rows = green(suite);
  for (const char* model : {"none", "relu"})
    EXPECT_EQ(rows.at("training/ddp/gloo/" + std::string(model) + "/world=2/unit=root/sgd").at("peak_bytes"), "268812");
}

}  // namespace
}  // namespace shardbench
