#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <map>
#include <string>

#include "law/plan.hpp"
#include "plugin/loaded.hpp"
#include "shardbench/schedule.hpp"
#include "simulate/simulate.hpp"

// What it takes to plan, validate and simulate a schedule, per action: linear up to 1024 ranks x 4096 microbatches.
//   cmake --build build --target simulate_bench && build/bench/simulate_bench

namespace shardbench {
namespace {

const PluginDescriptor& schedule(const std::string& name) {
  static std::map<std::string, LoadedPlugin> loaded;
  PluginInfo info;
  info.kind = PluginKind::schedule;
  info.name = name;
  info.file = std::string(SCHEDULE_FOLDER) + "/schedule_" + name + ".so";
  return loaded.try_emplace(name, info).first->second.descriptor();
}

void report(benchmark::State& state, const Plan& plan) {
  std::size_t actions = 0;
  for (const RankPlan& rank : plan.ranks) actions += rank.actions.size();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  state.counters["actions"] = static_cast<double>(actions);
  state.counters["ns_per_action"] = benchmark::Counter(
      static_cast<double>(actions) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["peak_GiB"] = static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

void whole(benchmark::State& state, const std::string& name, int chunks) {
  const ScheduleInput in{static_cast<int>(state.range(0)), chunks, static_cast<int>(state.range(1)), {}};
  Plan plan;
  for (auto _ : state) {
    plan = schedule(name).schedule_plan(in);
    validate(plan, in);
    benchmark::DoNotOptimize(simulate(plan, {.latency = 0.1}).makespan);
  }
  report(state, plan);
}

void simulate_only(benchmark::State& state, const std::string& name, int chunks) {
  const ScheduleInput in{static_cast<int>(state.range(0)), chunks, static_cast<int>(state.range(1)), {}};
  const Plan plan = schedule(name).schedule_plan(in);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(plan, {.latency = 0.1}).makespan);
  report(state, plan);
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int ranks : {4, 64, 1024})
    for (const int microbatches : {64, 4096}) b->Args({ranks, microbatches});
  b->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(simulate_only, 1f1b, std::string("1f1b"), 1)->Apply(sizes);
BENCHMARK_CAPTURE(simulate_only, zbv, std::string("zbv"), 2)->Args({64, 4096})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole, plan_validate_simulate_1f1b, std::string("1f1b"), 1)->Apply(sizes);

}  // namespace
}  // namespace shardbench

BENCHMARK_MAIN();
