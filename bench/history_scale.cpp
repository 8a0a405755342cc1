// Reads a history of many runs, finds the baseline, compares with it and looks for lasting changes, as a night does.
//   history_scale results/example [--benchmark_...]

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <random>

#include <fmt/format.h>

#include "compare/compare.hpp"
#include "history/baseline.hpp"
#include "history/change_points.hpp"
#include "history/history_folder.hpp"
#include "result/read_results.hpp"

namespace {

using namespace shardbench;
namespace fs = std::filesystem;

/// The run, another day: times that vary by 7 % from run to run, and by a fifth more from the middle on.
RecordedRun night(const RecordedRun& run, int number, int nights) {
  RecordedRun copy = run;
  copy.started = fmt::format("{:04}-{:02}-{:02}T00:00:00Z", 2000 + number / 336, 1 + number / 28 % 12, 1 + number % 28);
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  std::normal_distribution<double> noise(number < nights / 2 ? 1.0 : 1.2, 0.07);
  for (RecordedCase& c : copy.cases) {
    auto names = std::make_shared<std::vector<std::string>>();
    std::vector<double> values;
    for (std::size_t i = 0; i < c.quantities.size(); ++i) {
      names->push_back(c.quantities.name(i));
      values.push_back(c.quantities.value(i) * (is_launch_time(c.quantities.name(i)) ? noise(random) : 1.0));
    }
    c.quantities = {std::move(names), std::move(values)};
  }
  return copy;
}

void read_and_compare(benchmark::State& state, const fs::path& folder, const RecordedRun& now) {
  for ([[maybe_unused]] auto _ : state) {
    const History history = read_history(folder);
    const Baseline baseline = find_baseline(history, now);
    if (!baseline.run || history.runs.size() != static_cast<std::size_t>(state.range(0)))
      state.SkipWithError("the history is not whole");
    else
      benchmark::DoNotOptimize(compare({*baseline.run}, {now}).regressions());
  }
}

void lasting(benchmark::State& state, const fs::path& folder) {
  std::size_t found = 0;
  for ([[maybe_unused]] auto _ : state) found = lasting_changes(series_of(read_history(folder).runs, {})).size();
  state.counters["found"] = static_cast<double>(found);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: history_scale RESULTS [--benchmark_...]\n");
    return 2;
  }
  const RecordedRun run = read_results(argv[1]);
  const fs::path root = fs::temp_directory_path() / fmt::format("history_scale.{}", ::getpid());
  constexpr int nights = 1000;
  for (int i = 0; i < nights; ++i) add_to_history(root, night(run, i, nights));
  benchmark::RegisterBenchmark("read and compare", [&](benchmark::State& s) { read_and_compare(s, root, run); })
      ->Arg(nights)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("read and find lasting changes", [&](benchmark::State& s) { lasting(s, root); })
      ->Arg(nights)
      ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
  fs::remove_all(root);
  return 0;
}
