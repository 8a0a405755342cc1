#include "result/json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "law/plan_text.hpp"
#include "result/json_rank.hpp"
#include "result/quantities.hpp"
#include "result/step_times.hpp"
#include "suite/case_json.hpp"
#include "suite/gate_json.hpp"

namespace shardbench {

using nlohmann::ordered_json;

namespace {

ordered_json schedule_json(const SchedulePrediction& schedule) {
  ordered_json ranks = ordered_json::array(), traffic = ordered_json::array();
  for (const auto& plan : schedule.plan.ranks) {
    ordered_json& actions = ranks.emplace_back(ordered_json::array());
    for (const auto& action : plan.actions) actions.push_back(text(action));
  }
  for (const auto& t : schedule.traffic) traffic.push_back(traffic_json(t));
  return {{"placement", schedule.plan.placement},
          {"plan", std::move(ranks)},
          {"law_in_flight", schedule.law_in_flight},
          {"law_in_flight_until_weight", schedule.law_in_flight_until_weight},
          {"simulated_in_flight", schedule.simulated_in_flight},
          {"simulated_in_flight_until_weight", schedule.simulated_in_flight_until_weight},
          {"traffic", std::move(traffic)}};
}

/// The numbers of a series: one per timed step.
template <class Seconds>
std::vector<double> series_of(const std::vector<Sample>& samples, Seconds seconds) {
  std::vector<double> series;
  for (const auto& sample : samples) series.push_back(seconds(sample));
  return series;
}

ordered_json rank_series(const std::vector<Sample>& samples, std::size_t rank, bool pipeline) {
  ordered_json series = ordered_json::object();
  const auto add = [&](std::string_view name, double StepTime::*seconds) {
    append(series, name, series_of(samples, [&](const Sample& s) { return s.ranks.at(rank).*seconds; }));
  };
  add("step", &StepTime::step);
  for (const auto& phase : step_phases)
    if (pipeline || !phase.pipeline_only) add(phase.name, phase.seconds);
  return series;
}

/// The series of each stage of a rank, in the order in which its steps have them.
void add_stage_series(ordered_json& all, const std::vector<Sample>& samples, std::size_t rank) {
  const auto stages_of = [&](const Sample& s) -> const std::vector<StageTime>& { return s.ranks.at(rank).stages; };
  if (samples.empty()) return;
  for (std::size_t i = 0; i < stages_of(samples.front()).size(); ++i) {
    ordered_json& one = all.emplace_back(ordered_json{{"rank", rank}, {"stage", stages_of(samples.front())[i].stage}});
    for (const auto& phase : stage_phases)
      append(one, phase.name, series_of(samples, [&](const Sample& s) { return stages_of(s).at(i).*phase.seconds; }));
  }
}

/// Series of all ranks together, of each, and of the stages of a pipeline.
ordered_json samples_json(const std::vector<Sample>& samples, std::size_t ranks, bool pipeline) {
  ordered_json by_rank = ordered_json::array(), stages = ordered_json::array();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    by_rank.push_back(rank_series(samples, rank, pipeline));
    add_stage_series(stages, samples, rank);
  }
  ordered_json json = {{"seconds", series_of(samples, [](const Sample& s) { return s.seconds; })},
                       {"ranks", std::move(by_rank)}};
  if (pipeline) json["stages"] = std::move(stages);
  return json;
}

/// By rank: [action, start, end], in seconds from the first start.
ordered_json traces_json(const std::vector<std::vector<Span>>& traces) {
  double first = std::numeric_limits<double>::infinity();
  for (const auto& rank : traces)
    for (const Span& span : rank) first = std::min(first, span.start);
  ordered_json json = ordered_json::array();
  for (const auto& rank : traces) {
    ordered_json& spans = json.emplace_back(ordered_json::array());
    for (const Span& span : rank) spans.push_back({span.name, span.start - first, span.end - first});
  }
  return json;
}

ordered_json launch_json(const CaseResult& result, const Environment& environment, std::size_t index) {
  const Launch& launch = result.launches[index];
  ordered_json ranks = ordered_json::array();
  for (std::size_t rank = 0; rank < launch.ranks.size(); ++rank)
    ranks.push_back(rank_json({result, &environment, index, rank}));
  const bool pipeline = result.spec.program == Program::pipeline;
  ordered_json json = {{"ranks", std::move(ranks)},
                       {"samples", samples_json(launch.samples, launch.ranks.size(), pipeline)}};
  if (pipeline) json["traces"] = traces_json(launch.traces);
  if (!launch.rejected_by.empty()) json["rejected_by"] = launch.rejected_by;
  return json;
}

}  // namespace

ordered_json case_json(const CaseResult& result, const Environment& environment) {
  const Row row{result, &environment};
  ordered_json json = ordered_json::object(), quantities = ordered_json::object(), settings = ordered_json::object();
  for (const auto& column : columns()) {
    if (column.ranks_only) continue;
    auto& object = column.part == Part::identity ? json : column.part == Part::quantity ? quantities : settings;
    append(object, column.name, cell_json(case_cell(column, row)));
  }
  json["quantities"] = std::move(quantities);
  json["settings"] = std::move(settings);
  json["spec"] = nlohmann::json(result.spec);
  ordered_json& invariants = json["invariants"] = ordered_json::array();
  for (const auto& outcome : result.invariants)
    invariants.push_back({{"name", outcome.name}, {"verdict", name_of(outcome.verdict)}, {"message", outcome.message}});
  if (result.spec.program == Program::pipeline) json["schedule_plan"] = schedule_json(result.schedule);
  ordered_json& launches = json["launches"] = ordered_json::array();
  for (std::size_t i = 0; i < result.launches.size(); ++i) launches.push_back(launch_json(result, environment, i));
  return json;
}

ordered_json environment_json(const Environment& e) {
  ordered_json plugins = ordered_json::array();
  for (const auto& p : e.plugins)
    plugins.push_back({{"kind", p.kind},
                       {"name", p.name},
                       {"version", p.version},
                       {"file", p.file},
                       {"sha1", p.sha1},
                       {"outside", p.outside}});
  return {{"digest", e.digest()},
          {"cpu", e.cpu},
          {"cores", e.cores},
          {"kernel", e.kernel},
          {"distribution", e.distribution},
          {"compiler", e.compiler},
          {"core_version", e.core_version},
          {"commit", e.commit},
          {"dirty", e.dirty},
          {"libraries", e.libraries},
          {"threads_per_rank", e.threads_per_rank},
          {"plugins", std::move(plugins)},
          {"variables", e.variables}};
}

ordered_json run_json(const RunInfo& run) {
  ordered_json json = {{"suite", run.suite},
                       {"started", utc_text(run.started)},
                       {"command_line", run.command_line},
                       {"environment", environment_json(run.environment)},
                       {"gates", ordered_json(run.gates)}};
  if (!run.filter.empty()) json["filter"] = run.filter;
  if (!run.injected.empty()) json["injected"] = run.injected;
  return json;
}

ordered_json load_json(const MachineLoad& load) {
  const auto number = [](const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); };
  return {{"seconds", load.seconds},
          {"load_before", number(load.load_before)},
          {"load_after", number(load.load_after)},
          {"others_share", number(load.others_share)},
          {"stolen_share", number(load.stolen_share)},
          {"busy", load.busy()},
          {"niceness", load.niceness},
          {"governor", load.governor},
          {"lowest_MHz", number(load.lowest_MHz)},
          {"highest_MHz", number(load.highest_MHz)}};
}

std::string dump(const ordered_json& json) { return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace); }

}  // namespace shardbench
