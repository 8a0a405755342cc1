#include "suite/case_json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// No field has its default, and every number is one that a careless form would round.
Case unusual_case() {
  Case c;
  c.id = "id/\"quoted\"/\xC3\xA9";
  c.suite = "suite";
  c.study = "study";
  c.program = Program::pipeline;
  c.strategy = "zero1";
  c.schedule = "1f1b";
  c.operation = Collective::all_to_all;
  c.bytes = 9007199254740995;
  c.reduction = ReduceOp::min;
  c.values = Values::rounding;
  c.in_place = true;
  c.backend = "mpi";
  c.world = 3;
  c.horizon = 4;
  c.model = {"m", "gpt", {37, 11, 2147483647}, false, Activation::relu, Loss::mse};
  c.unit = UnitPolicy::layer;
  c.optimizer = {OptimizerKind::momentum, 0.1, 0.30000000000000004, 1.0 / 3, 5e-324, 1e300, 0.95};
  c.optimize = false;
  c.dtype = DType::bfloat16;
  c.options = {{"partition", "flat"}};
  c.backend_options = {{"mode", "async"}};
  c.batch = 9007199254740993;
  c.steps = 5;
  c.warmup = 6;
  c.iterations = 7;
  c.launches = 8;
  c.seed = std::numeric_limits<std::uint64_t>::max();
  c.deadline_s = 0.1 + 0.2;
  c.expect = Expect::diverged;
  c.place = {"suites/a.toml", 12, 3};
  return c;
}

void expect_same(const Case& a, const Case& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.suite, b.suite);
  EXPECT_EQ(a.study, b.study);
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.strategy, b.strategy);
  EXPECT_EQ(a.schedule, b.schedule);
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.reduction, b.reduction);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.in_place, b.in_place);
  EXPECT_EQ(a.backend, b.backend);
  EXPECT_EQ(a.world, b.world);
  EXPECT_EQ(a.horizon, b.horizon);
  EXPECT_EQ(a.model.name, b.model.name);
  EXPECT_EQ(a.model.kind, b.model.kind);
  EXPECT_EQ(a.model.widths, b.model.widths);
  EXPECT_EQ(a.model.bias, b.model.bias);
  EXPECT_EQ(a.model.activation, b.model.activation);
  EXPECT_EQ(a.model.loss, b.model.loss);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.optimizer.kind, b.optimizer.kind);
  EXPECT_EQ(a.optimizer.learning_rate, b.optimizer.learning_rate);
  EXPECT_EQ(a.optimizer.beta1, b.optimizer.beta1);
  EXPECT_EQ(a.optimizer.beta2, b.optimizer.beta2);
  EXPECT_EQ(a.optimizer.epsilon, b.optimizer.epsilon);
  EXPECT_EQ(a.optimizer.weight_decay, b.optimizer.weight_decay);
  EXPECT_EQ(a.optimizer.momentum, b.optimizer.momentum);
  EXPECT_EQ(a.optimize, b.optimize);
  EXPECT_EQ(a.dtype, b.dtype);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.backend_options, b.backend_options);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.launches, b.launches);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.deadline_s, b.deadline_s);
  EXPECT_EQ(a.expect, b.expect);
  EXPECT_EQ(a.place.text(), b.place.text());
}

TEST(CaseJson, IsTheSameCaseAfterText) {
  const Case c = unusual_case();
  expect_same(nlohmann::json::parse(nlohmann::json(c).dump()).get<Case>(), c);
}

TEST(CaseJson, IsTheSameCaseAfterCbor) {
  const Case c = unusual_case();
  expect_same(nlohmann::json::from_cbor(nlohmann::json::to_cbor(nlohmann::json(c))).get<Case>(), c);
}

TEST(CaseJson, OfADefaultCaseIsTheSame) { expect_same(nlohmann::json(Case{}).get<Case>(), Case{}); }

TEST(CaseJson, UsesNames) {
  const nlohmann::json json = unusual_case();
  EXPECT_EQ(json.at("program"), "pipeline");
  EXPECT_EQ(json.at("unit"), "layer");
  EXPECT_EQ(json.at("dtype"), "bfloat16");
  EXPECT_EQ(json.at("model").at("activation"), "relu");
  EXPECT_EQ(json.at("model").at("loss"), "mse");
  EXPECT_EQ(json.at("optimizer").at("kind"), "momentum");
}

TEST(CaseJson, WithoutAKeyIsRefused) {
  nlohmann::json json = unusual_case();
  for (const auto& [key, value] : json.items()) {
    nlohmann::json without = json;
    without.erase(key);
    EXPECT_THROW(without.get<Case>(), nlohmann::json::out_of_range) << key;
  }
}

TEST(CaseJson, WithAnUnknownNameIsRefused) {
  nlohmann::json json = unusual_case();
  json["unit"] = "block";
  try {
    json.get<Case>();
    FAIL() << "the case was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "\"block\" is not one of root, layer");
    EXPECT_EQ(error.where(), "key \"unit\" of a case in JSON");
  }
}

}  // namespace
}  // namespace shardbench
