#include <algorithm>
#include <chrono>
#include <functional>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/driver.hpp"
#include "cli/inputs.hpp"
#include "cli/selection.hpp"
#include "compare/compare.hpp"
#include "compare/comparison_text.hpp"
#include "compare/detectable.hpp"
#include "compare/gate_rates.hpp"
#include "launch/interrupts.hpp"
#include "launch/temporary_folder.hpp"
#include "result/read_results.hpp"
#include "result/statistics.hpp"
#include "result/step_times.hpp"
#include "result/swapped_file.hpp"
#include "result/writer.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr double most_false_alarms = 1.0 / 200, fewest_found = 19.0 / 20;

/// Google Benchmark calls the launches; what they gave is kept by the cases.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// One build against itself.
class GateCheck {
 public:
  GateCheck(const Arguments& arguments, Inputs inputs) : asked_(arguments.gate_check), inputs_(std::move(inputs)) {
    for (SelectedCase& c : selected_cases(arguments, inputs_)) {
      same_.push_back(std::move(c.result));
      gates_.push_back(inputs_.gates[c.suite]);
    }
    base_ = slower_ = one_more_ = same_;
  }

  bool empty() const { return same_.empty(); }
  ExitCode execute();

 private:
  std::vector<std::string> measure();
  std::vector<GateRounds> measured() const;
  std::vector<GateRounds> recorded();
  std::size_t bytes_found() const;
  bool told_times(const std::vector<GateRounds>& rounds) const;
  void save(const std::vector<GateRounds>& rounds) const;

  GateCheckArguments asked_;
  Inputs inputs_;
  std::vector<Gate> gates_;                                  ///< of each case
  std::vector<CaseResult> base_, same_, slower_, one_more_;  ///< a launch per round; of one_more_ one in all
};

/// Rounds in which every case is launched as it is, once more so, and slowed, one right after the other and each first
/// in every third round; and once with a byte too many. What
/// was wrong with the end of the ranks.
std::vector<std::string> GateCheck::measure() {
  Driver driver(inputs_.catalogue, *inputs_.host, same_);
  const auto register_launch = [&](CaseResult& result, const Planted& planted) {
    benchmark::RegisterBenchmark(result.spec.id.c_str(),
                                 [&driver, &result, planted](benchmark::State& state) {
                                   if (interrupted()) {
                                     state.SkipWithError("interrupted");
                                     return;
                                   }
                                   driver.plant(planted);
                                   driver.launch(result, state, [](const std::string&) {});
                                 })
        ->UseManualTime()
        ->Iterations(result.spec.iterations);
  };
  for (int round = 0; round < asked_.rounds && !interrupted(); ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, asked_.rounds);
    for (std::size_t i = 0; i < same_.size(); ++i)
      for (int turn = 0; turn < 3; ++turn) {
        const int which = (round + turn) % 3;
        register_launch((which == 0 ? base_ : which == 1 ? same_ : slower_)[i], {which == 2 ? asked_.slowdown : 0, 0});
      }
    for (CaseResult& c : one_more_)
      if (round == 0) register_launch(c, {0, 1});
    Silent reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, "all");
    benchmark::ClearRegisteredBenchmarks();
  }
  return driver.finish();
}

/// Cases whose byte too many a comparison finds on every rank, by way of written and read results.
std::size_t GateCheck::bytes_found() const {
  const TemporaryFolder folder;
  std::vector<RecordedRun> sides;
  for (const auto* side : {&base_, &one_more_}) {
    RunInfo info;
    info.suite = "gate-check";
    info.environment = collect_environment();
    ResultWriter writer(folder.path() / std::to_string(sides.size()), info);
    for (const CaseResult& c : *side) writer.add(c);
    writer.finish();
    sides.push_back(read_results(writer.folder()));
  }
  const Comparison comparison = shardbench::compare({sides[0]}, {sides[1]});
  std::size_t found = 0;
  for (const CaseVerdict& c : comparison.cases)
    found += std::any_of(c.metrics.begin(), c.metrics.end(), [](const MetricVerdict& m) {
      return m.metric == "weights_bytes" && m.regression && m.base && m.next && *m.next - *m.base == 1;
    });
  return found;
}

std::string rate_text(std::size_t count, std::size_t of) {
  return fmt::format("{} of {} ({:.2f} %)", count, of,
                     of == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(of));
}

/// Half the range of a case's launches around their median, from the tenth to the ninetieth percentile.
double spread(const LaunchMedians& medians) {
  return (quantile(medians, 0.9) - quantile(medians, 0.1)) / 2 / median(medians);
}

/// The cases that are too noisy for the gate, by what two launches of the same build differed by in each round, and the
/// turns that these rounds have.
std::string noisy_text(const std::vector<GateRounds>& rounds, const std::vector<Gate>& gates) {
  const LaunchMedians none;
  std::string lines;
  std::size_t noisy = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    TimeRule rule = rule_for("step_median_s", gates[i]);
    rule.most_confirming_launches = turns_in(rounds[i].base.size(), rule);
    const auto found = detectable_slowdown({none, none, rounds[i].base, rounds[i].same}, rule);
    if (found.value_or(0) <= expected_slowdown) continue;
    ++noisy;
    lines += fmt::format("  {}: {} in {} turns, spread {:.0f} %\n", rounds[i].id, detectable_text(*found),
                         rule.most_confirming_launches, 100 * spread(rounds[i].same));
  }
  return fmt::format("too noisy for a slowdown of {:.0f} %: {} of {} cases\n{}", 100 * expected_slowdown, noisy,
                     rounds.size(), lines);
}

/// Prints the rates of times; whether they meet the goals.
bool GateCheck::told_times(const std::vector<GateRounds>& rounds) const {
  GateRates all;
  std::vector<double> spreads;
  std::vector<std::pair<double, std::string>> worst;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const GateRates one = gate_rates(rounds[i], rule_for("step_median_s", gates_[i]));
    all += one;
    spreads.push_back(spread(rounds[i].same));
    const auto count = static_cast<double>(std::max<std::size_t>(one.comparisons, 1));
    worst.emplace_back(static_cast<double>(one.found) / count,
                       fmt::format("  {}: {} false alarms, slowdown found {}, spread {:.0f} %\n", rounds[i].id,
                                   one.false_alarms, rate_text(one.found, one.comparisons), 100 * spreads.back()));
  }
  fmt::print("{} cases, {} rounds; launches spread by {:.0f} % (median over cases, 10th to 90th percentile, halved)\n",
             rounds.size(), rounds.front().base.size(), 100 * median(spreads));
  fmt::print("comparisons of a case's blocks of launches: {}, of which {} share no launch\n", all.comparisons,
             all.independent);
  fmt::print("the same build called slower:   {}\n", rate_text(all.false_alarms, all.comparisons));
  fmt::print("the same build called faster:   {}\n", rate_text(all.false_praise, all.comparisons));
  fmt::print("the same build left ambiguous:  {}\n", rate_text(all.ambiguous, all.comparisons));
  fmt::print("the same build run again:       {}\n", rate_text(all.reruns, all.comparisons));
  fmt::print("a slowdown of {:.0f} % found:      {}; suspected at first {}\n", 100 * asked_.slowdown,
             rate_text(all.found, all.comparisons), rate_text(all.suspected, all.comparisons));
  std::sort(worst.begin(), worst.end());
  fmt::print("where the slowdown was found least:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(worst.size(), 5); ++i) fmt::print("{}", worst[i].second);
  fmt::print("{}", noisy_text(rounds, gates_));
  const auto count = static_cast<double>(all.comparisons);
  return all.comparisons > 0 && static_cast<double>(all.false_alarms) <= most_false_alarms * count &&
         static_cast<double>(all.found) >= fewest_found * count;
}

void GateCheck::save(const std::vector<GateRounds>& rounds) const {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const GateRounds& r : rounds)
    cases.push_back({{"case", r.id}, {"base", r.base}, {"same", r.same}, {"slower", r.slower}});
  const nlohmann::ordered_json json = {{"slowdown", asked_.slowdown}, {"cases", std::move(cases)}};
  SwappedFile(asked_.output).put(json.dump(1) + '\n');
}

/// Of the file of an earlier run, which tells what was planted, too.
std::vector<GateRounds> GateCheck::recorded() {
  try {
    const auto json = nlohmann::json::parse(file_text(asked_.replay));
    std::vector<GateRounds> rounds;
    for (const CaseResult& c : same_)
      for (const auto& entry : json.at("cases"))
        if (entry.at("case") == c.spec.id)
          rounds.push_back({c.spec.id, entry.at("base"), entry.at("same"), entry.at("slower")});
    if (rounds.size() != same_.size())
      throw Error(fmt::format("{} of the {} cases are in it", rounds.size(), same_.size()), asked_.replay.string(),
                  "choose those by --filter");
    json.at("slowdown").get_to(asked_.slowdown);
    return rounds;
  } catch (const nlohmann::json::exception& e) {
    throw Error(std::string("no rounds that gate-check recorded: ") + e.what(), asked_.replay.string(),
                "gate-check SUITE -o FILE records them");
  }
}

LaunchMedians launch_medians(const CaseResult& result) {
  LaunchMedians medians;
  for (const auto& seconds : step_times(result)) medians.push_back(median(seconds));
  return medians;
}

std::vector<GateRounds> GateCheck::measured() const {
  std::vector<GateRounds> rounds;
  for (std::size_t i = 0; i < same_.size(); ++i)
    rounds.push_back(
        {base_[i].spec.id, launch_medians(base_[i]), launch_medians(same_[i]), launch_medians(slower_[i])});
  return rounds;
}

ExitCode GateCheck::execute() {
  const auto exit_code = [](bool good) { return good ? ExitCode::ok : ExitCode::regression; };
  if (!asked_.replay.empty()) return exit_code(told_times(recorded()));
  watch_interrupts();
  const std::vector<std::string> problems = measure();
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  if (interrupted()) return ExitCode::interrupted;
  if (!problems.empty()) return ExitCode::fault;
  for (const auto* side : {&base_, &same_, &slower_, &one_more_})
    for (const CaseResult& c : *side)
      if (c.status != Status::ok) {
        fmt::print(stderr, "{} {}: {}\n", c.spec.id, name_of(c.status), c.detail);
        return ExitCode::fault;
      }
  const std::vector<GateRounds> rounds = measured();
  if (!asked_.output.empty()) save(rounds);
  const bool times_good = told_times(rounds);
  const std::size_t found = bytes_found();
  fmt::print("one byte too many found:        {} of {} cases\n", found, rounds.size());
  return exit_code(times_good && found == rounds.size());
}

}  // namespace

ExitCode gate_check(const Arguments& arguments) {
  GateCheck check(arguments, read_inputs(arguments));
  if (!check.empty()) return check.execute();
  fmt::print(stderr, "no case is left by --filter '{}': nothing ran\n", arguments.filter);
  return ExitCode::nothing_ran;
}

}  // namespace shardbench
