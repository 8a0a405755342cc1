#include "law/predict.hpp"

#include <gtest/gtest.h>
#include <map>
#include <string>

#include "shardbench/error.hpp"

using namespace shardbench;

namespace {

std::map<std::string, Prediction> by_name(const PredictionInput& in) {
  std::map<std::string, Prediction> all;
  for (const Prediction& p : predict(in)) all.emplace(p.strategy, p);
  return all;
}

PredictionInput paper(std::uint64_t units = 1) {
  return {.parameters = 7'500'000'000, .ranks = 64, .bytes = mixed_precision(OptimizerKind::adamw), .units = units};
}

/// The notebook's model over 4 ranks.
PredictionInput notebook() {
  return {.parameters = 526336, .ranks = 4, .bytes = one_precision(DType::float32, OptimizerKind::adamw)};
}

}  // namespace

/// Rajbhandari et al., ZeRO, SC 2020, Figure 1: 120, 31.4, 16.6 and 1.9 GB.
TEST(Predict, TheZeroPapersFigureOne) {
  const auto p = by_name(paper());
  EXPECT_EQ(bytes_text(p.at("ddp").at_rest()), "120.0 GB");
  EXPECT_EQ(bytes_text(p.at("zero1 (flat)").at_rest()), "31.4 GB");
  EXPECT_EQ(bytes_text(p.at("zero1 (greedy)").at_rest()), "31.4 GB");
  EXPECT_EQ(bytes_text(p.at("zero2 (paper)").at_rest()), "16.6 GB");
  EXPECT_EQ(bytes_text(p.at("zero3").at_rest()), "1.9 GB");
  EXPECT_EQ(p.at("zero2 (paper)").at_rest(), 15'000'000'000U + 14 * 117'187'500ULL);
}

/// LAWS of the notebook: 16P, 8P + 8P/N, 4P + 12P/N, 16P/N at rest (without the 4 bytes per tensor of `step`).
TEST(Predict, TheNotebooksBytesAtRest) {
  constexpr std::uint64_t P = 526336;
  const auto p = by_name(notebook());
  EXPECT_EQ(p.at("ddp").at_rest(), 16 * P);
  EXPECT_EQ(p.at("zero1 (flat)").at_rest(), 8 * P + 8 * P / 4);
  EXPECT_EQ(p.at("zero2 (paper)").at_rest(), 4 * P + 12 * P / 4);
  EXPECT_EQ(p.at("zero2").at_rest(), 16 * P / 4);
  EXPECT_EQ(p.at("zero3").at_rest(), 16 * P / 4);
}

/// What `suites/notebook-3.13.toml` measures per step and rank at world 4.
TEST(Predict, TheNotebooksBytesSent) {
  const auto p = by_name(notebook());
  EXPECT_EQ(p.at("ddp").sent, 3158016U);
  EXPECT_EQ(p.at("zero1 (greedy)").sent, 4737024U);
  EXPECT_EQ(p.at("zero1 (flat)").sent, 3158016U);
  EXPECT_EQ(p.at("zero2").sent, 3158016U);
  EXPECT_EQ(p.at("zero3").sent, 3158016U) << "the root unit is gathered once";
  PredictionInput layers = notebook();
  layers.units = 8;
  EXPECT_EQ(by_name(layers).at("zero3").sent, 4737024U) << "f(2P + G)";
}

TEST(Predict, InsideTheStepUnitsMatter) {
  const auto root = by_name(paper()), layers = by_name(paper(20));  // shards of 5,859,375
  const std::uint64_t P = 7'500'000'000;
  EXPECT_EQ(root.at("zero3").in_step, root.at("zero3").at_rest() + 4 * P);
  EXPECT_EQ(layers.at("zero3").in_step, layers.at("zero3").at_rest() + 4 * P / 20);
  EXPECT_EQ(layers.at("zero2 (paper)").in_step, layers.at("zero2 (paper)").at_rest() + 2 * P / 20);
  // All parameters whole, one unit's gradient and its shard, the shards of weights and optimizer.
  EXPECT_EQ(layers.at("zero2").in_step, 2 * P + 2 * P / 20 + 2 * P / 20 / 64 + 14 * P / 64);
  EXPECT_EQ(layers.at("ddp").in_step, 16 * P);
}

TEST(Predict, OnOneRankAllAreTheSame) {
  PredictionInput in = notebook();
  in.ranks = 1;
  for (const Prediction& p : predict(in)) {
    EXPECT_EQ(p.at_rest(), 16U * 526336) << p.strategy;
    EXPECT_EQ(p.in_step, p.at_rest()) << p.strategy;
    EXPECT_EQ(p.sent, 0U) << p.strategy;
  }
}

/// 5 parameters on 4 ranks: shards of ceil(5/4) = 2; even parts of 2, 1, 1, 1, so a rank sends at most 4 in each half.
TEST(Predict, ShardsThatDoNotDivideArePadded) {
  const auto p = by_name({.parameters = 5, .ranks = 4, .bytes = one_precision(DType::float32, OptimizerKind::sgd)});
  EXPECT_EQ(p.at("zero3").at_rest(), 2U * 8);
  EXPECT_EQ(p.at("zero3").sent, 2U * 3 * 2 * 4);
  EXPECT_EQ(p.at("ddp").sent, 2U * 4 * 4);
}

TEST(Predict, BytesPerParameterOfEachOptimizer) {
  EXPECT_EQ(mixed_precision(OptimizerKind::adamw).optimizer, 12U);
  EXPECT_EQ(mixed_precision(OptimizerKind::momentum).optimizer, 8U);
  EXPECT_EQ(mixed_precision(OptimizerKind::sgd).optimizer, 4U);
  EXPECT_EQ(one_precision(DType::bfloat16, OptimizerKind::adamw).optimizer, 4U);
  EXPECT_EQ(one_precision(DType::float64, OptimizerKind::momentum).weight, 8U);
  EXPECT_EQ(one_precision(DType::float32, OptimizerKind::sgd).optimizer, 0U);
}

TEST(Predict, RefusesWhatItCannotCount) {
  const auto refuses = [](PredictionInput in, const std::string& problem) {
    try {
      predict(in);
      FAIL() << problem;
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), problem);
    }
  };
  refuses({.parameters = 0, .ranks = 1}, "there are 0 parameters, but 1 to 1000000000000000 can be predicted");
  refuses({.parameters = 9, .ranks = 0}, "there are 0 ranks, but 1 to 1000000 can be predicted");
  refuses({.parameters = 9, .ranks = 1, .bytes = {}, .units = 10}, "there are 10 units, but 1 to 9 can be predicted");
}

TEST(CheapestThatFits, SendsLeastThenHoldsLeast) {
  const auto layers = predict(paper(32));
  EXPECT_EQ(cheapest_that_fits(layers, 80'000'000'000)->strategy, "zero2 (paper)") << "of those that send f(G + P)";
  EXPECT_EQ(cheapest_that_fits(predict(paper()), 80'000'000'000)->strategy, "zero1 (flat)");
  EXPECT_EQ(cheapest_that_fits(layers, 10'000'000'000)->strategy, "zero3");
  EXPECT_EQ(cheapest_that_fits(layers, 1'000'000'000), nullptr);
}

TEST(Bytes, AreReadAndWritten) {
  EXPECT_EQ(parse_bytes("80GB"), 80'000'000'000U);
  EXPECT_EQ(parse_bytes("80 GB"), 80'000'000'000U);
  EXPECT_EQ(parse_bytes("80gib"), 85'899'345'920U);
  EXPECT_EQ(parse_bytes("1.5MiB"), 1'572'864U);
  EXPECT_EQ(parse_bytes("4e9"), 4'000'000'000U);
  for (const char* bad : {"", "GB", "80GX", "-1GB", "nan", "inf", "1e30TB"}) EXPECT_FALSE(parse_bytes(bad)) << bad;
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(526336), "526.3 kB");
  EXPECT_EQ(bytes_text(2'500'000'000'000), "2.5 TB");
}
