#include <gtest/gtest.h>

#include <map>
#include <string>

#include "plugin/loaded.hpp"
#include "shardbench/law.hpp"

// The closed forms that the strategies claim, by themselves; that ranks obey them is checked in every run.

namespace shardbench {
namespace {

/// A strategy as it was built, loaded once.
const PluginDescriptor& strategy(const std::string& name) {
  static std::map<std::string, LoadedPlugin> loaded;
  PluginInfo info;
  info.kind = PluginKind::strategy;
  info.name = name;
  info.file = std::string(PLUGINS) + "/strategy_" + name + ".so";
  return loaded.try_emplace(name, info).first->second.descriptor();
}

LawInput linears(const std::vector<std::uint64_t>& widths, int world, int rank, bool by_layer) {
  LawInput in;
  in.world = world;
  in.rank = rank;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    LayerShape& layer = in.layers.emplace_back();
    layer.parameters = {widths[i] * widths[i + 1], widths[i + 1]};
    layer.rows = {widths[i + 1], widths[i + 1]};
    layer.input_bytes = widths[i] * 4;
    layer.output_bytes = widths[i + 1] * 4;
    if (by_layer) in.units.push_back({static_cast<int>(i), 1, false});
  }
  if (!by_layer) in.units = {{0, static_cast<int>(in.layers.size()), true}};
  return in;
}

/// The notebook's model as one unit: 8 x Linear(256, 256).
Law notebook_law(const std::string& name, int world) {
  return strategy(name).strategy_law(linears(std::vector<std::uint64_t>(9, 256), world, 0, false));
}

void expect_at_rest(const Law& law, std::uint64_t weights, std::uint64_t gradients, std::uint64_t optimizer) {
  EXPECT_EQ(law.weights, weights);
  EXPECT_EQ(law.gradients, gradients);
  EXPECT_EQ(law.optimizer, optimizer);
}

// Measured by the notebook with PyTorch 2.13, CPU, Gloo.
TEST(StrategyLaws, AtRestAreTheNotebooksNumbers) {
  for (const int world : {2, 4}) expect_at_rest(notebook_law("ddp", world), 2105344, 2105344, 4210752);
  expect_at_rest(notebook_law("zero1", 2), 2105344, 2105344, 2105376);
  expect_at_rest(notebook_law("zero1", 4), 2105344, 2105344, 1052688);
  for (const char* name : {"zero2", "zero3"}) {
    expect_at_rest(notebook_law(name, 2), 1052672, 1052672, 2105348);
    expect_at_rest(notebook_law(name, 4), 526336, 526336, 1052676);
  }
}

// One rank alone holds what ddp holds, whatever the strategy, but for the steps of flat shards.
TEST(StrategyLaws, OneRankHoldsEverythingAndSendsNothing) {
  for (const char* name : {"ddp", "zero1", "zero2", "zero3", "fsdp2"}) {
    const Law law = notebook_law(name, 1);
    EXPECT_EQ(law.weights, 2105344u) << name;
    EXPECT_EQ(law.gradients, 2105344u) << name;
    EXPECT_EQ(law.traffic.sent_bytes(), 0u) << name;
  }
}

// f = (N-1)/N of 2105344 bytes: ddp 2f, zero2 f(P+G), zero3 f(2P+G) less f of the root unit's second gather.
TEST(StrategyLaws, SentBytesAreTheTextbooks) {
  EXPECT_EQ(notebook_law("ddp", 4).traffic.sent_bytes(), 2u * 3 * 526336);
  EXPECT_EQ(notebook_law("zero2", 4).traffic.sent_bytes(), 2u * 3 * 526336);
  EXPECT_EQ(notebook_law("zero3", 4).traffic.sent_bytes(), 2u * 3 * 526336);
  const auto by_layer = [](const char* name) {
    return strategy(name).strategy_law(linears(std::vector<std::uint64_t>(9, 256), 4, 0, true)).traffic.sent_bytes();
  };
  EXPECT_EQ(by_layer("ddp"), 2u * 3 * 526336);
  EXPECT_EQ(by_layer("zero2"), 2u * 3 * 526336);
  EXPECT_EQ(by_layer("zero3"), 3u * 3 * 526336);
}

TEST(StrategyLaws, ByLayerZero3PeaksBelowZero2) {
  const LawInput in = linears(std::vector<std::uint64_t>(9, 256), 4, 0, true);
  const Law two = strategy("zero2").strategy_law(in), three = strategy("zero3").strategy_law(in);
  EXPECT_EQ(two.total(), three.total());
  EXPECT_LT(three.peak, two.peak);
}

// Odd sizes and more ranks than elements of a tensor: what all ranks send, all receive, and no shard is lost.
TEST(StrategyLaws, HoldTogetherInEveryWorld) {
  for (const char* name : {"ddp", "zero1", "zero2", "zero3", "fsdp2"})
    for (const bool by_layer : {false, true})
      for (int world = 1; world <= 9; ++world) {
        std::uint64_t sent = 0, received = 0, optimizer = 0;
        for (int rank = 0; rank < world; ++rank) {
          const Law law = strategy(name).strategy_law(linears({37, 11, 5, 1}, world, rank, by_layer));
          sent += law.traffic.sent_bytes();
          received += law.traffic.received_bytes();
          optimizer += law.optimizer;
          EXPECT_GE(law.peak, law.weights + law.optimizer);
        }
        EXPECT_EQ(sent, received) << name << ", world " << world << (by_layer ? ", by layer" : "");
        EXPECT_GE(optimizer, 8u * 484) << name << ", world " << world;
      }
}

}  // namespace
}  // namespace shardbench
