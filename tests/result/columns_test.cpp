#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <set>

#include "check/good_case.hpp"
#include "result/parameter_count.hpp"
#include "result/quantities.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

Cell of_case(const CaseResult& result, std::string_view name) {
  const Column* column = find_column(name);
  return column ? case_cell(*column, {result}) : Cell{std::string("no such column")};
}

Cell of_rank(const CaseResult& result, std::string_view name, std::size_t rank) {
  const Column* column = find_column(name);
  return column ? rank_cell(*column, {.result = result, .rank = rank}) : Cell{std::string("no such column")};
}

Cell count(std::uint64_t value) { return value; }

}  // namespace

TEST(Columns, HaveUniqueNamesAndSayWhatTheyMean) {
  std::set<std::string_view> names;
  for (const auto& column : columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.meaning.empty()) << column.name;
    EXPECT_FALSE(column.source.empty()) << column.name;
    EXPECT_EQ(column.name.ends_with("_bytes"), column.unit == "bytes") << column.name;
    EXPECT_EQ(column.name.ends_with("_s"), column.unit == "s") << column.name;
  }
  EXPECT_EQ(find_column("weight_bytes"), nullptr);
}

TEST(Columns, PartsFollowEachOther) {
  Part last = Part::identity;
  for (const auto& column : columns()) {
    EXPECT_GE(column.part, last) << column.name;
    last = column.part;
  }
}

TEST(Columns, ACaseHasTheLargestOfItsRanks) {
  const CaseResult result = good_pipeline();
  EXPECT_EQ(of_case(result, "saved_peak"), count(5));
  EXPECT_EQ(of_case(result, "saved_peak_bytes"), count(6144));
  EXPECT_EQ(of_case(result, "in_flight"), count(2));
  EXPECT_EQ(of_rank(result, "saved_peak", 0), count(4));
  EXPECT_EQ(of_rank(result, "predicted_in_flight", 1), count(1));
  EXPECT_EQ(of_rank(result, "in_flight_until_weight", 1), count(1));
  EXPECT_EQ(of_rank(result, "predicted_in_flight_until_weight", 0), count(2));
  EXPECT_EQ(of_rank(result, "activations_bytes", 0), count(2048));
  EXPECT_EQ(of_rank(result, "predicted_total_bytes", 0), count(8448));
  EXPECT_EQ(of_rank(result, "predicted_peak_bytes", 0), count(20000));
}

TEST(Columns, TotalsOfTheMachineAreOfAllRanks) {
  EXPECT_EQ(of_case(good_training(4), "machine_total_bytes"), count(4 * 4210692u));
  EXPECT_EQ(of_rank(good_training(4), "machine_total_bytes", 0), Cell{});
}

TEST(Columns, APipelineHasNoStrategyAndTrainingNoPlan) {
  for (const char* name : {"unit", "strategy"}) EXPECT_EQ(text(of_case(good_pipeline(), name)), "") << name;
  for (const char* name :
       {"predicted_saved_peak", "predicted_saved_total", "in_flight", "predicted_in_flight", "in_flight_until_weight",
        "predicted_in_flight_until_weight", "activations_bytes", "idle_s", "horizon", "schedule"})
    EXPECT_EQ(text(of_case(good_training(), name)), "") << name;
  EXPECT_EQ(of_case(good_pipeline(), "optimizer"), Cell{std::string("none")});
  EXPECT_EQ(of_case(good_pipeline(), "predicted_sent_bytes"), count(1024));
}

TEST(Columns, ACollectiveHasNoModelAndOthersNoArray) {
  const CaseResult result = good_collective(2);
  for (const char* name :
       {"strategy", "schedule", "model", "unit", "horizon", "optimizer", "weights_bytes", "gradients_bytes",
        "optimizer_bytes", "total_bytes", "machine_total_bytes", "predicted_total_bytes", "predicted_peak_bytes",
        "saved_peak", "saved_total", "held_storage_bytes", "live_at_rest_bytes", "parameters", "batch"})
    EXPECT_EQ(text(of_case(result, name)), "") << name;
  for (const CaseResult& other : {good_training(), good_pipeline()})
    for (const char* name : {"operation", "array_bytes", "reduction", "algorithm", "algbw_Bps", "busbw_Bps",
                             "step_p99_s", "skew_s", "wrong_elements"})
      EXPECT_EQ(text(of_case(other, name)), "") << name;
  EXPECT_EQ(of_case(result, "operation"), Cell{std::string("all_reduce")});
  EXPECT_EQ(of_case(result, "array_bytes"), count(4096));
  EXPECT_EQ(of_case(result, "reduction"), Cell{std::string("sum")});
  EXPECT_EQ(of_case(result, "algorithm"), Cell{std::string("ring")});
  EXPECT_EQ(of_case(result, "predicted_sent_bytes"), count(4096));
  EXPECT_EQ(of_case(result, "peak_bytes"), count(12288));
}

TEST(Columns, NameThePluginsThatWereNotOptimized) {
  CaseResult result = good_training();
  EXPECT_EQ(text(of_case(result, "unoptimized_plugins")), "");
  result.unoptimized = "strategy mine, comm slow";
  EXPECT_EQ(text(of_case(result, "unoptimized_plugins")), "strategy mine, comm slow");
}

// Steps of 20 and 30 us: the median is 25, of the slowest rank; the other took 15 each time.
TEST(Columns, ACollectiveIsTimedByItsSlowestRank) {
  CaseResult result = good_collective(2);
  EXPECT_DOUBLE_EQ(std::get<double>(of_case(result, "step_median_s")), 2.5e-5);
  EXPECT_DOUBLE_EQ(std::get<double>(of_case(result, "algbw_Bps")), 4096 / 2.5e-5);
  EXPECT_DOUBLE_EQ(std::get<double>(of_case(result, "busbw_Bps")), 4096 / 2.5e-5);
  EXPECT_DOUBLE_EQ(std::get<double>(of_case(result, "step_p99_s")), 3e-5);
  EXPECT_DOUBLE_EQ(std::get<double>(of_case(result, "skew_s")), 1e-5);
  EXPECT_EQ(of_case(result, "wrong_elements"), count(0));
  result.launches[0].ranks[0].buffers.wrong_elements = 2;
  result.launches[0].ranks[1].buffers.wrong_elements = 3;
  EXPECT_EQ(of_case(result, "wrong_elements"), count(5));
  result.spec.operation = Collective::send;
  EXPECT_EQ(of_case(result, "skew_s"), Cell{});
}

TEST(Columns, TheStepOfACaseIsThatOfTheSlowestRank) {
  CaseResult result = good_training();
  result.launches[0].samples = {{0.004, {{0.004, 0, 0, 0.001, 0}, {0.003, 0, 0, 0.002, 0}}}};
  EXPECT_EQ(of_case(result, "step_median_s"), Cell{0.004});
  EXPECT_EQ(of_rank(result, "step_median_s", 1), Cell{0.003});
  EXPECT_EQ(of_case(result, "communication_s"), Cell{0.002});
}

TEST(Columns, TheLossOfAPipelineIsItsLastStages) {
  EXPECT_EQ(of_rank(good_pipeline(), "loss_first", 0), Cell{});
  EXPECT_EQ(of_case(good_pipeline(), "loss_first"), Cell{1.5});
  EXPECT_EQ(of_case(good_pipeline(), "loss_last"), Cell{1.0});
}

TEST(Columns, TheDifferenceFromTheReferenceIsTheLargestThatWasCompared) {
  CaseResult result = good_training();
  result.launches[0].ranks[1].parameters_difference.max_abs = 1e-7;
  result.launches[0].ranks[1].gradients_difference = {false, 5, 5, false, ""};
  EXPECT_EQ(of_case(result, "reference_max_diff"), Cell{1e-7});
  for (auto& r : result.launches[0].ranks) r.loss_difference = r.parameters_difference = r.gradients_difference = {};
  EXPECT_EQ(of_case(result, "reference_max_diff"), Cell{});
}

TEST(Columns, NanIsNeverHidden) {
  CaseResult result = good_training(3);
  result.launches[0].ranks[1].losses.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(std::get<double>(of_case(result, "loss_last"))));
}

TEST(Columns, DetailIsOneLine) {
  CaseResult result = good_training();
  EXPECT_EQ(detail_line(result), "");
  result.invariants = {{"a", Verdict::passed, ""},
                       {"b", Verdict::not_run, "no"},
                       {"c", Verdict::failed, "1\n  is 2"},
                       {"d", Verdict::failed, "3"}};
  EXPECT_EQ(detail_line(result), "c: 1 is 2");
  result.detail = "rank 0 died\n  where: all_reduce\n";
  EXPECT_EQ(detail_line(result), "rank 0 died where: all_reduce");
  EXPECT_EQ(of_case(result, "invariants_failed"), count(2));
  EXPECT_EQ(of_case(result, "invariants_not_run"), count(1));
}

TEST(ParameterCount, IsTheNotebooks) {
  EXPECT_EQ(parameter_count(good_training().spec.model), 526336u);
  ModelSpec model;
  model.widths = {3, 5, 2};
  EXPECT_EQ(parameter_count(model), 3u * 5 + 5 + 5 * 2 + 2);
  model.bias = false;
  EXPECT_EQ(parameter_count(model), 25u);
}
