#include "result/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "check/good_case.hpp"
#include "control/json.hpp"
#include "result/schema_check.hpp"
#include "result/temporary_folder.hpp"
#include "result/writer.hpp"

using namespace shardbench;
using namespace shardbench::testing;
using nlohmann::json;

namespace {

json schema() { return json::parse(contents(std::string(SHARDBENCH_SOURCE_DIR) + "/docs/results.schema.json")); }

/// results.json of a good case of each program, a failed one and a crashed one that gave nothing.
json written() {
  const TemporaryFolder root;
  RunInfo run;
  run.suite = "notebook";
  run.command_line = {"shardbench", "run"};
  run.environment = collect_environment();
  run.environment.libraries = {{"LibTorch", "2.13.0"}};
  run.environment.plugins = {{"comm", "gloo", "0.1.0", "comm_gloo.so", sha1("x")}};
  run.gates["notebook"].metrics["update_s"] = {.threshold = 0.5, .launches = 7, .better = Better::smaller};
  run.filter = "world=2";
  run.injected = "byte=1";
  ResultWriter writer(root.path(), run);
  writer.add(good_training(2, 2));
  CaseResult pipeline = good_pipeline();
  pipeline.launches[0].samples[0].ranks[1].stages = {{1, 0.1, 0.2, 0.3, 0.4}};
  pipeline.launches[0].traces = {{{"0F0", 5, 6}}, {{"1F0", 6.5, 7}}};
  writer.add(pipeline);
  CaseResult failed = good_training();
  failed.status = Status::failed;
  failed.invariants = {{"rest_equals_law", Verdict::failed, "8 is not 12"}, {"own_rows", Verdict::not_run, "no"}};
  failed.launches[0].ranks[0].losses.back() = std::numeric_limits<double>::quiet_NaN();
  failed.launches[0].ranks[0].gradients_difference = {};
  writer.add(failed);
  CaseResult crashed;
  crashed.spec = failed.spec;
  crashed.status = Status::crashed;
  crashed.detail = "rank 0 said \xff";
  writer.add(crashed);
  writer.add(good_collective());
  writer.finish();
  return json::parse(contents(root.path() / "results.json"));
}

}  // namespace

TEST(ResultsJson, MeetsItsSchema) { EXPECT_THAT(schema_errors(schema(), written()), ::testing::IsEmpty()); }

TEST(ResultsJson, TheSchemaRefusesOtherThings) {
  json results = written();
  results["cases"][0].erase("status");
  results["cases"][1]["launches"][0]["ranks"][1]["losses"] = "none";
  results["cases"][1]["status"] = "fine";
  results["schema_version"] = 2;
  results["cases"][2]["invariants"][0]["surprise"] = 1;
  EXPECT_THAT(schema_errors(schema(), results),
              ::testing::UnorderedElementsAre(
                  "/schema_version: is not 1", "/cases/0: status is missing",
                  "/cases/1/launches/0/ranks/1/losses: string is not \"array\"",
                  "/cases/1/status: \"fine\" is not one of [\"ok\",\"failed\",\"crashed\",\"timeout\",\"skipped\"]",
                  "/cases/2/invariants/0/surprise: is not allowed"));
}

TEST(ResultsJson, HoldsEverything) {
  const json results = written();
  const json& training = results["cases"][0];
  EXPECT_EQ(training["case"], "zero2-w2");
  EXPECT_EQ(training["quantities"]["machine_total_bytes"], 8421384);
  EXPECT_EQ(training["spec"]["model"]["widths"].size(), 9u);
  EXPECT_EQ(training["launches"].size(), 2u);
  EXPECT_EQ(training["launches"][1]["samples"]["seconds"], json({0.002, 0.003}));
  EXPECT_EQ(training["launches"][1]["samples"]["ranks"][1]["backward"], json({0.001, 0.001}));
  const json& rank = training["launches"][1]["ranks"][1];
  EXPECT_EQ(rank["quantities"]["weights_bytes"], 1052672);
  EXPECT_EQ(rank["phases"][0]["phase"], "forward unit 0");
  EXPECT_EQ(rank["phases"][0]["by_role"]["activations"], 300000);
  EXPECT_EQ(rank["traffic"]["all_gather"]["sent_bytes"], 1052672);
  EXPECT_EQ(rank["parameters_hash"], "0000000000abcdef");
  EXPECT_EQ(rank["law"]["peak_bytes"], 7000000);
  const json& pipeline = results["cases"][1];
  EXPECT_EQ(pipeline["schedule_plan"]["plan"][1], json({"1F0", "1B0", "1F1", "1B1"}));
  EXPECT_EQ(pipeline["launches"][0]["ranks"][0]["executed"][1], "0SEND_F0");
  EXPECT_EQ(results["run"]["environment"]["libraries"]["LibTorch"], "2.13.0");
  EXPECT_EQ(results["run"]["environment"]["plugins"][0]["sha1"], sha1("x"));
}

TEST(ResultsJson, APipelineHasItsStagesItsIdleTimeAndItsTrace) {
  CaseResult result = good_pipeline();
  Launch& launch = result.launches[0];
  launch.samples[0].ranks[1].idle = 0.0002;
  launch.samples[0].ranks[1].stages = {{1, 0.1, 0.2, 0.3, 0.4}};
  launch.traces = {{{"0F0", 5, 6}}, {{"1F0", 6.5, 7}}};
  const json written = json::parse(dump(case_json(result, {})))["launches"][0];
  EXPECT_EQ(written["samples"]["ranks"][1]["idle"], json({0.0002}));
  EXPECT_EQ(
      written["samples"]["stages"][0],
      json({{"rank", 1}, {"stage", 1}, {"forward", {0.1}}, {"backward", {0.2}}, {"input", {0.3}}, {"weight", {0.4}}}));
  EXPECT_EQ(written["traces"], json::parse(R"([[["0F0", 0.0, 1.0]], [["1F0", 1.5, 2.0]]])"));
}

namespace {

/// Another value of the same type.
json other(const json& leaf) {
  if (leaf.is_string()) return leaf.get<std::string>() + "x";
  if (leaf.is_boolean()) return !leaf.get<bool>();
  if (leaf.is_number_unsigned()) return leaf.get<std::uint64_t>() + 1;
  return leaf.is_number_integer() ? json(leaf.get<std::int64_t>() + 1) : json(leaf.get<double>() + 1);
}

/// The members of a part of the case, as ranks send it, whose change shows nowhere in results.json.
template <class Part>
std::set<std::string> unwritten(const CaseResult& result, Part& part) {
  std::set<std::string> members;
  const Part before = part;
  const json wire = before;
  const std::string text = dump(case_json(result, {}));
  const json leaves = wire.flatten();
  for (const auto& [pointer, leaf] : leaves.items()) {
    EXPECT_TRUE(leaf.is_primitive() && !leaf.is_null()) << pointer << " has no value to change";
    if (!leaf.is_primitive() || leaf.is_null()) continue;
    json changed = wire;
    changed[json::json_pointer(pointer)] = other(leaf);
    part = changed.get<Part>();
    if (dump(case_json(result, {})) == text) members.insert(pointer);
  }
  part = before;
  return members;
}

/// A value for every member that a good case of its program leaves empty.
void fill(RankReport& r) {
  r.bytes_on_wire = 1;
  r.phases = {{"forward unit 0", {1, 2, 3, 4, 5, 6}}};
  r.losses = {1, 2};
  r.rows_hashes = r.reference_rows_hashes = {7, 8};
  r.optimizer_steps = {2};
  r.gradient_pieces = {{0, 10}};
  r.executed = {"0F0"};
  r.buffers.barrier_ns = r.timed_buffers.barrier_ns = {{1, 2}};
  r.buffers.sum_digests = r.timed_buffers.sum_digests = {3};
  r.timed.bytes_on_wire = 1;
  r.timed.optimizer_steps = {4};
  r.timed.parameters_difference.compared = true;
  r.not_finite = r.reference_not_finite = NotFinite{1, "the loss", "inf"};
  r.timed.not_finite = r.timed.reference_not_finite = r.not_finite;
  r.loss_difference.compared = r.parameters_difference.compared = r.gradients_difference.compared = true;
}

}  // namespace

// The form on the wire has every member (tests/control/json_test.cpp), so one that results.json forgets is found here.
TEST(ResultsJson, ForgetsNothingThatRanksReport) {
  std::set<std::string> nowhere;
  bool first = true;
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    RankReport& report = rank_one(result);
    fill(report);
    const auto members = unwritten(result, report);
    if (first) nowhere = members;
    std::erase_if(nowhere, [&](const std::string& member) { return !members.contains(member); });
    first = false;
  }
  EXPECT_THAT(nowhere, ::testing::IsEmpty());
}

TEST(ResultsJson, ForgetsNothingOfAStepAndOfATrace) {
  CaseResult result = good_pipeline();
  StepTime& step = result.launches[0].samples[0].ranks[1];
  step.stages = {{1, 0.1, 0.2, 0.3, 0.4}};
  EXPECT_THAT(unwritten(result, step), ::testing::IsEmpty());
  result.launches[0].traces = {{{"0F0", 5, 6}}, {{"1F0", 6.5, 7}}};
  EXPECT_THAT(unwritten(result, result.launches[0].traces[1][0]), ::testing::IsEmpty());
}

TEST(ResultsJson, WhatIsNoNumberIsNull) {
  const json failed = written()["cases"][2];
  EXPECT_TRUE(failed["quantities"]["loss_last"].is_null());
  EXPECT_TRUE(failed["launches"][0]["ranks"][0]["losses"][2].is_null());
  EXPECT_TRUE(failed["launches"][0]["ranks"][0]["gradients_difference"].is_null());
  EXPECT_TRUE(failed["quantities"]["algbw_Bps"].is_null());
  EXPECT_EQ(failed["invariants"][0]["message"], "8 is not 12");
}

TEST(ResultsJson, TextThatIsNoUtf8IsMadeSo) { EXPECT_EQ(written()["cases"][3]["detail"], "rank 0 said \xEF\xBF\xBD"); }
