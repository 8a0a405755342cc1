#include "simulate/simulate.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "check/finding.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/schedules.hpp"
#include "draw/bars.hpp"
#include "draw/gantt.hpp"
#include "draw/simulation_table.hpp"
#include "law/plan.hpp"
#include "law/plan_file.hpp"
#include "law/plan_text.hpp"
#include "law/predict.hpp"
#include "plugin/search.hpp"
#include "result/swapped_file.hpp"
#include "shardbench/error.hpp"
#include "simulate/cost_text.hpp"
#include "simulate/trace.hpp"

namespace shardbench {
namespace {

/// A unit of the simulation's time in a trace: a millisecond, so that viewers show readable numbers.
constexpr double trace_microseconds = 1000;
/// Of output that is no terminal.
constexpr std::size_t plain_columns = 160;

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : plain_columns;
}

SimulationCosts costs_of(const ScheduleArguments& a) {
  SimulationCosts costs{.stages = parse_costs(a.cost), .latency = a.latency};
  if (a.bandwidth > 0) costs.bytes_per_time = a.bandwidth;
  if (a.bytes.empty()) return costs;
  const auto bytes = parse_bytes(a.bytes);
  if (!bytes) throw Error("'" + a.bytes + "' is no number of bytes", "--bytes", "write for example 4MB or 4MiB");
  costs.boundary_bytes = {*bytes};
  return costs;
}

PlannedSchedule planned_by(const std::filesystem::path& file) {
  Plan plan = read_plan(file);
  const ScheduleInput in{static_cast<int>(plan.ranks.size()), 0, microbatches_of(plan), {}};
  return {in, std::move(plan), {}};
}

/// The invariant simulation_equals_law, which needs no run: what is wrong with the law of a schedule, or nothing. The
/// plan of a file has none.
std::string law_failure(const PlannedSchedule& planned, const Simulation& simulation) {
  if (planned.laws.empty()) return {};
  PeakInFlight claimed;
  for (const ScheduleLaw& law : planned.laws) {
    claimed.until_input.push_back(law.peak_in_flight);
    claimed.until_weight.push_back(law.peak_in_flight_until_weight);
  }
  Findings findings;
  for (std::string& wrong : wrong_claims(simulation.in_flight, claimed)) findings.fail(std::move(wrong));
  return findings.finding().message;
}

/// Reports the failure of a law, where there is one.
ExitCode judged(const std::string& schedule, const std::string& failure) {
  if (failure.empty()) return ExitCode::ok;
  fmt::print(stderr, "{}: simulation_equals_law failed: {}\n", schedule, failure);
  return ExitCode::failed;
}

std::string title_of(const ScheduleArguments& a, const PlannedSchedule& planned) {
  const std::string name = a.schedule.empty() ? a.file.filename().string() : a.schedule;
  return fmt::format("{}: {} ranks, {} stages, {} microbatches", name, planned.input.ranks,
                     planned.plan.placement.size(), planned.input.microbatches);
}

std::string costs_sentence(const ScheduleArguments& a, const SimulationCosts& costs) {
  std::string text = costs_text(costs.stages);
  if (costs.latency > 0) text += fmt::format(", a message {:g}", costs.latency);
  if (!a.bytes.empty()) text += fmt::format(", of {} each way", a.bytes);
  if (a.bandwidth > 0) text += fmt::format(" at {:g} bytes per unit", a.bandwidth);
  return text;
}

ExitCode simulate_one(const Arguments& arguments) {
  const ScheduleArguments& a = arguments.schedule;
  PlannedSchedule planned;
  if (a.file.empty()) {
    const Catalogue catalogue(default_search(arguments.plugins, {}));
    const PluginInfo& plugin = find_schedule(catalogue, a.schedule);
    PluginHost host;
    planned = plan_schedule(host, plugin, schedule_input(plugin, a));
  } else {
    planned = planned_by(a.file);
  }
  const SimulationCosts costs = costs_of(a);
  const Simulation simulation = simulate(planned.plan, costs);
  const std::string title = title_of(a, planned);
  const TextStyle style{colour_wanted(STDOUT_FILENO)};
  const Gantt gantt{title,
                    fmt::format("a stage takes {}: makespan {:.6g}", costs_sentence(a, costs), simulation.makespan),
                    {gantt_part("simulated", planned.plan, simulation)}};
  fmt::print("{}\n{}\n{}", gantt_text(gantt, {style, unicode_wanted(), columns()}), gantt.subtitle,
             simulation_table(planned.plan, simulation, planned.laws, style));
  if (!a.svg.empty()) SwappedFile(a.svg).put(gantt_svg(gantt));
  if (!a.trace.empty()) SwappedFile(a.trace).put(trace_json(planned.plan, simulation, title, trace_microseconds));
  return judged(a.schedule, law_failure(planned, simulation));
}

/// The costs of a rank's whole part of the model, shared evenly by `chunks` stages.
SimulationCosts shared(SimulationCosts costs, int chunks) {
  if (costs.stages.size() > 1)
    throw Error("--cost has stages that differ, but schedules with several numbers of stages are compared", "--cost",
                "give one cost for all");
  for (StageCosts& stage : costs.stages)
    for (double* cost : {&stage.forward, &stage.backward_input, &stage.backward_weight}) *cost /= chunks;
  return costs;
}

ComparedSchedule compared(PluginHost& host, const PluginInfo& plugin, const ScheduleArguments& a) {
  const PlannedSchedule planned = plan_schedule(host, plugin, schedule_input(plugin, a));
  const int chunks = std::max(1, static_cast<int>(planned.plan.placement.size()) / planned.input.ranks);
  const Simulation simulation = simulate(planned.plan, shared(costs_of(a), chunks));
  ComparedSchedule result{plugin.name, chunks, simulation.makespan};
  result.law_failure = law_failure(planned, simulation);
  const auto most = [&](const std::vector<int>& peaks) {
    return static_cast<double>(*std::max_element(peaks.begin(), peaks.end())) / chunks;
  };
  result.until_input = most(simulation.in_flight.until_input);
  result.until_weight = most(simulation.in_flight.until_weight);
  for (const SimulatedRank& rank : simulation.ranks)
    result.idle = std::max(result.idle, rank.idle_in_makespan(simulation.makespan));
  for (const SimulatedLink& link : simulation.links) result.sent += a.bytes.empty() ? link.messages : link.bytes;
  return result;
}

ExitCode compare_schedules(const Arguments& arguments) {
  const ScheduleArguments& a = arguments.schedule;
  const Catalogue catalogue(default_search(arguments.plugins, {}));
  const bool all = a.compare == std::vector<std::string>{"all"};
  std::vector<std::string> names = a.compare;
  if (all) {
    names = catalogue.names(PluginKind::schedule);
    std::erase_if(names, [&](const std::string& name) {  // the plan of a file is none of this size
      return find_schedule(catalogue, name).options.contains("file");
    });
  }
  PluginHost host;
  std::vector<ComparedSchedule> schedules;
  std::string refused;
  for (const std::string& name : names) {
    const PluginInfo& plugin = find_schedule(catalogue, name);
    try {
      schedules.push_back(compared(host, plugin, a));
    } catch (const Error& e) {
      if (!all) throw;
      refused += fmt::format("  {}: {}\n", name, e.problem());
    }
  }
  fmt::print("{} ranks, {} microbatches; a rank's part of the model takes {}\n", a.ranks, a.microbatches,
             costs_sentence(a, costs_of(a)));
  fmt::print("{}", comparison_table(schedules, a.bytes.empty() ? "messages" : "bytes",
                                    TextStyle{colour_wanted(STDOUT_FILENO)}));
  if (!refused.empty()) fmt::print("cannot do that size:\n{}", refused);
  ExitCode code = schedules.empty() ? ExitCode::usage : ExitCode::ok;
  for (const ComparedSchedule& s : schedules) code = graver(code, judged(s.name, s.law_failure));
  return code;
}

}  // namespace

ExitCode simulate(const Arguments& arguments) {
  return arguments.schedule.compare.empty() ? simulate_one(arguments) : compare_schedules(arguments);
}

}  // namespace shardbench
