#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "suite/case_json.hpp"
#include "suite/support.hpp"

namespace shardbench {
namespace {

Suite shipped(const std::string& name) {
  std::vector<PluginInfo> plugins = test_catalogue().plugins();
  plugins.push_back(plugin_info(PluginKind::strategy, "fsdp2"));
  plugins.push_back(plugin_info(PluginKind::comm, "mpi", {{"transport", {"default", "tcp"}}}));
  return load_suite(std::filesystem::path(SUITES_FOLDER) / (name + ".toml"), Catalogue::of(std::move(plugins)));
}

constexpr std::uint64_t P = 526336;  ///< parameters of the notebook's model

TEST(NotebookSuite, IsTheNotebooksStudyAndItsExercises) {
  const Suite suite = shipped("notebook-3.13");
  EXPECT_EQ(suite.name, "notebook-3.13");
  std::vector<std::string> expected;
  for (const auto* strategy : {"ddp", "zero1", "zero2", "zero3"})
    for (const int world : {1, 2, 4, 8})
      expected.push_back(fmt::format("training/{}/gloo/notebook/world={}/unit=root/adamw", strategy, world));
  for (const auto* schedule : {"gpipe", "1f1b"})
    for (const int horizon : {2, 4, 8})
      expected.push_back(fmt::format("pipeline/{}/gloo/pipeline-2x32/world=2/horizon={}", schedule, horizon));
  for (const auto* schedule : {"gpipe", "1f1b"})
    expected.push_back(fmt::format("horizon-6/pipeline/{}/gloo/pipeline-2x32/world=2/horizon=6", schedule));
  EXPECT_EQ(ids_of(suite), expected);
}

TEST(NotebookSuite, HasTheNotebooksModels) {
  for (const auto& c : shipped("notebook-3.13").cases) {
    if (c.program == Program::training) {
      EXPECT_EQ(c.model.widths, std::vector<std::int64_t>(9, 256));
      EXPECT_EQ(c.model.loss, Loss::sum);
      EXPECT_EQ(c.model.activation, Activation::none);
      EXPECT_EQ(c.batch, 32);
      EXPECT_EQ(c.steps, 3);
    } else {
      EXPECT_EQ(c.model.widths, std::vector<std::int64_t>(3, 32));
      EXPECT_EQ(c.model.loss, Loss::mse);
      EXPECT_EQ(c.model.activation, Activation::relu);
      EXPECT_EQ(c.batch, c.horizon == 6 ? 12 : 8);
      EXPECT_FALSE(c.optimize);
    }
    EXPECT_TRUE(c.model.bias);
  }
}

/// case id, rank (-1: all) and quantity -> value.
std::map<std::string, double> expectations_of(const Suite& suite) {
  std::map<std::string, double> values;
  for (const auto& e : suite.expectations) {
    EXPECT_THAT(e.source, testing::HasSubstr("notebook 3.13"));
    values[fmt::format("{}|{}|{}", e.case_id, e.rank.value_or(-1), e.quantity)] = e.value;
  }
  return values;
}

TEST(NotebookReference, HasTheTableOfBytesAtRest) {
  struct Row {
    const char* strategy;
    int world;
    double weights, gradients, optimizer, total;
  };
  // The notebook's own table (PyTorch 2.13).
  const std::vector<Row> rows = {
      {"ddp", 2, 2105344, 2105344, 4210752, 8421440},   {"zero1", 2, 2105344, 2105344, 2105376, 6316064},
      {"zero2", 2, 1052672, 1052672, 2105348, 4210692}, {"zero3", 2, 1052672, 1052672, 2105348, 4210692},
      {"ddp", 4, 2105344, 2105344, 4210752, 8421440},   {"zero1", 4, 2105344, 2105344, 1052688, 5263376},
      {"zero2", 4, 526336, 526336, 1052676, 2105348},   {"zero3", 4, 526336, 526336, 1052676, 2105348}};
  const auto values = expectations_of(shipped("notebook-3.13"));
  for (const auto& row : rows) {
    const std::string id =
        fmt::format("training/{}/gloo/notebook/world={}/unit=root/adamw|-1|", row.strategy, row.world);
    EXPECT_EQ(values.at(id + "weights_bytes"), row.weights);
    EXPECT_EQ(values.at(id + "gradients_bytes"), row.gradients);
    EXPECT_EQ(values.at(id + "optimizer_bytes"), row.optimizer);
    EXPECT_EQ(values.at(id + "total_bytes"), row.total);
    EXPECT_EQ(values.at(id + "machine_total_bytes"), row.total * row.world);
  }
}

TEST(NotebookReference, HasTheMachineTotalsOfTheExercise) {
  const auto values = expectations_of(shipped("notebook-3.13"));
  const auto total = [&](const char* strategy, std::uint64_t world) {
    return values.at(
        fmt::format("training/{}/gloo/notebook/world={}/unit=root/adamw|-1|machine_total_bytes", strategy, world));
  };
  for (const std::uint64_t n : {1U, 2U, 4U, 8U}) {
    EXPECT_EQ(total("ddp", n), static_cast<double>(n * (16 * P + 64)));
    EXPECT_EQ(total("zero1", n), static_cast<double>(8 * P * n + 8 * P + 64));
    EXPECT_EQ(total("zero2", n), static_cast<double>(16 * P + 4 * n));
    EXPECT_EQ(total("zero3", n), static_cast<double>(16 * P + 4 * n));
  }
}

TEST(NotebookReference, HasTheTableOfSavedTensors) {
  struct Row {
    const char* schedule;
    int horizon, rank;
    double peak, peak_bytes, saved, before_first_use;
  };
  const std::vector<Row> rows = {
      {"gpipe", 2, 0, 4, 2048, 4, 4},     {"gpipe", 2, 1, 10, 12288, 10, 10}, {"gpipe", 4, 0, 8, 2048, 8, 8},
      {"gpipe", 4, 1, 20, 20480, 20, 20}, {"gpipe", 8, 0, 16, 2048, 16, 16},  {"gpipe", 8, 1, 40, 36864, 40, 40},
      {"1f1b", 2, 0, 4, 2048, 4, 4},      {"1f1b", 2, 1, 5, 6144, 10, 5},     {"1f1b", 4, 0, 4, 1024, 8, 4},
      {"1f1b", 4, 1, 5, 5120, 20, 5},     {"1f1b", 8, 0, 4, 512, 16, 4},      {"1f1b", 8, 1, 5, 4608, 40, 5}};
  const auto values = expectations_of(shipped("notebook-3.13"));
  for (const auto& row : rows) {
    const std::string id =
        fmt::format("pipeline/{}/gloo/pipeline-2x32/world=2/horizon={}|{}|", row.schedule, row.horizon, row.rank);
    EXPECT_EQ(values.at(id + "saved_peak"), row.peak);
    EXPECT_EQ(values.at(id + "saved_peak_bytes"), row.peak_bytes);
    EXPECT_EQ(values.at(id + "saved_total"), row.saved);
    EXPECT_EQ(values.at(id + "saved_consumed"), row.saved);
    EXPECT_EQ(values.at(id + "saved_before_first_use"), row.before_first_use);
  }
  EXPECT_EQ(values.at("horizon-6/pipeline/gpipe/gloo/pipeline-2x32/world=2/horizon=6|1|saved_peak"), 30);
  EXPECT_EQ(values.at("horizon-6/pipeline/1f1b/gloo/pipeline-2x32/world=2/horizon=6|1|saved_peak"), 5);
  // 8 x 4 bytes at rest, 16 machine totals, 12 x 5 saved tensors, 2 of horizon 6: nothing else.
  EXPECT_EQ(values.size(), 32U + 16U + 60U + 2U);
}

TEST(SmokeSuite, HasEveryStrategyWithBothUnitsAndEverySchedule) {
  std::set<std::string> seen;
  for (const auto& c : shipped("smoke").cases) {
    seen.insert(c.program == Program::training ? fmt::format("{}/{}", c.strategy, name_of(c.unit)) : c.schedule);
    EXPECT_EQ(c.world, 2);
    EXPECT_EQ(c.model.widths, (std::vector<std::int64_t>{37, 11, 5, 1}));
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre("ddp/root", "ddp/layer", "zero1/root", "zero1/layer", "zero2/root",
                                                  "zero2/layer", "zero3/root", "zero3/layer", "gpipe", "1f1b"));
}

/// Every combination that the issue of the laws is about, by what tells cases apart.
TEST(LawsSuite, HasEveryStrategyWorldUnitModelAndOptimizer) {
  const Suite suite = shipped("laws");
  EXPECT_GE(suite.cases.size(), 300U);
  std::set<std::string> seen, expected;
  for (const auto& c : suite.cases) {
    EXPECT_LE(c.steps, 2);
    if (c.program == Program::training)
      seen.insert(fmt::format("{}{}/{}/{}/{}/{}", c.strategy, c.options_text(), c.world, name_of(c.unit), c.model.name,
                              name_of(c.optimizer.kind)));
  }
  for (const auto* strategy : {"ddp", "zero1partition=greedy", "zero1partition=flat", "zero2", "zero3", "fsdp2"})
    for (const int world : {1, 2, 3, 4, 8})
      for (const auto* unit : {"root", "layer"})
        for (const auto* model : {"odd", "wide", "no-bias", "no-bias-relu"})
          for (const auto* optimizer : {"adamw", "sgd", "momentum"})
            expected.insert(fmt::format("{}/{}/{}/{}/{}", strategy, world, unit, model, optimizer));
  EXPECT_EQ(seen, expected);
}

TEST(LawsSuite, HasModelsOfEveryKind) {
  std::set<std::string> seen;
  bool tiny = false;
  for (const auto& c : shipped("laws").cases) {
    seen.insert(fmt::format("{}{}{}", c.model.bias ? "bias " : "",
                            c.model.activation == Activation::relu ? "relu " : "",
                            c.model.loss == Loss::mse ? "mse" : "sum"));
    tiny = tiny || (c.model.bias && c.model.widths.back() == 1 && c.world == 8);
  }
  EXPECT_THAT(seen, testing::IsSupersetOf({"bias sum", "bias relu mse", "mse", "relu sum"}));
  EXPECT_TRUE(tiny) << "a bias of 1 element on 8 ranks";
}

TEST(PeaksSuite, SetsEveryStrategyWithBothUnitsOnTheNotebooksModelSideBySide) {
  const Suite suite = shipped("peaks");
  EXPECT_TRUE(suite.phases);
  EXPECT_FALSE(shipped("smoke").phases);
  std::set<std::string> seen;
  for (const auto& c : suite.cases) {
    EXPECT_EQ(c.model.widths, std::vector<std::int64_t>(9, 256));
    seen.insert(fmt::format("{}/{}/{}", c.strategy, c.world, name_of(c.unit)));
  }
  EXPECT_EQ(seen.size(), 4U * 2 * 2);
}

TEST(CollectivesSuite, HasEveryOperationDtypeAndWorldAndFewElements) {
  std::set<std::string> seen, expected;
  bool empty_parts = false;
  for (const auto& c : shipped("collectives").cases) {
    ASSERT_TRUE(c.operation);
    if (exchanges(*c.operation)) continue;
    const std::string dtype = has_array(*c.operation) ? std::string(name_of(c.dtype)) : "";
    seen.insert(fmt::format("{}/{}/{}", c.subject(), dtype, c.world));
    empty_parts = empty_parts || c.bytes / size_of(c.dtype) < static_cast<std::uint64_t>(c.world);
  }
  for (const int world : {1, 2, 3, 4}) {
    expected.insert(fmt::format("barrier//{}", world));
    for (const DType dtype : all_dtypes)
      for (const auto* operation : {"broadcast", "all_reduce", "reduce_scatter", "all_gather", "all_to_all",
                                    "reduce_scatter_all_gather", "send"})
        if (world > 1 || std::string_view(operation) != "send")
          expected.insert(fmt::format("{}/{}/{}", operation, name_of(dtype), world));
  }
  EXPECT_EQ(seen, expected);
  EXPECT_TRUE(empty_parts) << "fewer elements than ranks";
}

/// What a backend may get wrong that exact sums and single messages do not show.
TEST(CollectivesSuite, HasRoundedSumsMessagesAndBothPlacesOnEveryBackend) {
  std::map<std::string, std::set<std::string>> backends;
  for (const auto& c : shipped("collectives").cases) {
    const std::string backend = c.backend + c.options_text();
    if (exchanges(*c.operation)) backends[std::string(c.subject())].insert(backend);
    if (c.values == Values::rounding) {
      backends["rounding " + c.subject()].insert(backend);
      EXPECT_GE(c.iterations, 2) << "each set of values is summed again";
    }
    if (c.in_place) backends["in place " + c.subject()].insert(backend);
  }
  const auto all = testing::UnorderedElementsAre("gloo", "mpi", "mpitransport=tcp");
  for (const char* what :
       {"send_tags", "send_order", "send_both_ways", "rounding all_reduce", "rounding reduce_scatter",
        "rounding reduce_scatter_all_gather", "in place reduce_scatter", "in place all_gather"})
    EXPECT_THAT(backends[what], all) << what;
}

/// Gloo, MPI, and MPI over TCP, of each thing that is compared.
void expect_three_ways(const Suite& suite) {
  std::map<std::string, std::set<std::string>> ways;
  for (const auto& c : suite.cases) {
    EXPECT_GE(c.launches, 3);
    ways[work_of(c)].insert(c.backend + c.options_text());
  }
  for (const auto& [work, backends] : ways)
    EXPECT_THAT(backends, testing::UnorderedElementsAre("gloo", "mpitransport=default", "mpitransport=tcp")) << work;
}

TEST(BackendsSuite, ComparesEveryOperationFrom8BytesTo16MiB) {
  const Suite suite = shipped("backends");
  expect_three_ways(suite);
  std::set<std::string> operations;
  std::set<std::uint64_t> sizes;
  for (const auto& c : suite.cases) {
    operations.insert(fmt::format("{}/{}", c.subject(), c.world));
    if (c.operation == Collective::all_reduce) sizes.insert(c.bytes);
  }
  EXPECT_EQ(operations.size(), 2 * std::ranges::count_if(all_collectives, [](Collective c) { return !exchanges(c); }));
  EXPECT_EQ(*sizes.begin(), 8U);
  EXPECT_EQ(*sizes.rbegin(), 16U << 20);
}

TEST(BackendsTrainingSuite, ComparesEveryStrategyInTwoWorlds) {
  const Suite suite = shipped("backends-training");
  expect_three_ways(suite);
  EXPECT_EQ(suite.cases.size(), 5U * 2 * 3);
}

/// The first ```toml block of docs/suites.md, which says how many cases each of its tables gives.
TEST(DocumentedSuite, GivesTheCasesThatItSays) {
  std::ifstream in(std::filesystem::path(SUITES_FOLDER) / "../docs/suites.md");
  const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t begin = page.find("```toml\n") + 8;
  const Suite suite = parse(page.substr(begin, page.find("```", begin) - begin));
  const auto is_training = [](const Case& c) { return c.program == Program::training; };
  EXPECT_EQ(std::ranges::count_if(suite.cases, is_training), 6);
  EXPECT_EQ(suite.cases.size(), 12U);
}

}  // namespace
}  // namespace shardbench
