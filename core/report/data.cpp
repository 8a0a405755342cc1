#include "report/data.hpp"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "result/fingerprint.hpp"
#include "result/quantities.hpp"
#include "shardbench/version.hpp"

namespace shardbench {
namespace {

using nlohmann::ordered_json;

/// Whole numbers without a point, which is how the CSV files have them; null for none.
ordered_json number_json(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53: every whole number up to it is a double
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < exact) return static_cast<std::int64_t>(value);
  return value;
}

ordered_json number_json(const std::optional<double>& value) {
  return number_json(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

/// By name, without those that there are not.
ordered_json values_json(const Quantities& quantities) {
  ordered_json json = ordered_json::object();
  for (std::size_t i = 0; i < quantities.size(); ++i)
    if (!std::isnan(quantities.value(i))) json.emplace(quantities.name(i), number_json(quantities.value(i)));
  return json;
}

ordered_json numbers_json(const std::vector<double>& numbers) {
  ordered_json json = ordered_json::array();
  for (const double n : numbers) json.push_back(number_json(n));
  return json;
}

/// The settings that tell cases of one run apart; the environment is told once.
ordered_json settings_json(const RecordedCase& c) {
  ordered_json json = ordered_json::object();
  for (const char* name :
       {"study", "parameters", "batch", "array_bytes", "comm_library", "wait_mode", "oversubscribed"})
    if (const auto it = c.settings.find(name); it != c.settings.end()) json[name] = it->second;
  return json;
}

/// Equal for cases that do the same work, whatever backend carries it: all that the suite says but for the backend, and
/// for how long and where it said so.
std::string work_of(const RecordedCase& c) {
  std::string work;
  for (const auto& [name, value] : c.spec) {
    const std::string first = name.substr(0, name.find('.'));
    const bool apart = first == "id" || first == "backend" || first == "backend_options" || first == "place" ||
                       first == "iterations" || first == "warmup" || first == "launches" || first == "deadline_s" ||
                       first == "expect";
    if (!apart) work += name + '=' + value + '\n';
  }
  return sha1(work);
}

ordered_json case_json(const RecordedCase& c) {
  ordered_json invariants = ordered_json::array(), ranks = ordered_json::array(), launches = ordered_json::array();
  for (const InvariantOutcome& o : c.invariants)
    invariants.push_back(ordered_json::array({o.name, name_of(o.verdict), o.message}));
  if (!c.launches.empty())
    for (const RecordedRank& r : c.launches.front().ranks)
      ranks.push_back({{"rank", r.rank}, {"moment", r.peak_moment}, {"values", values_json(r.quantities)}});
  for (const RecordedLaunch& launch : c.launches) launches.push_back(numbers_json(launch.seconds));
  return {{"id", c.id},
          {"status", name_of(c.status)},
          {"detail", c.detail},
          {"identity", c.identity},
          {"settings", settings_json(c)},
          {"work", work_of(c)},
          {"values", values_json(c.quantities)},
          {"invariants", std::move(invariants)},
          {"ranks", std::move(ranks)},
          {"launches", std::move(launches)}};
}

/// What the machine did besides the run.
ordered_json load_rows(const MachineLoad& load) {
  ordered_json rows = ordered_json::array();
  const auto row = [&](const char* name, const char* format, const std::optional<double>& value, double times = 1) {
    if (value) rows.push_back(ordered_json::array({name, fmt::format(fmt::runtime(format), times * *value)}));
  };
  row("CPU time of other processes", "{:.1f} %", load.others_share, 100);
  row("CPU time of the host's other guests", "{:.1f} %", load.stolen_share, 100);
  row("load average before", "{:.2f}", load.load_before);
  row("load average after", "{:.2f}", load.load_after);
  row("niceness", "{:.0f}", load.niceness);
  if (!load.governor.empty()) rows.push_back(ordered_json::array({"CPU frequency governor", load.governor}));
  row("slowest core", "{:.0f} MHz", load.lowest_MHz);
  row("fastest core", "{:.0f} MHz", load.highest_MHz);
  return rows;
}

ordered_json environment_rows(const Environment& e) {
  ordered_json rows = ordered_json::array();
  const auto row = [&](const std::string& name, const std::string& value) {
    rows.push_back(ordered_json::array({name, value}));
  };
  row("commit", e.commit_text());
  row("cpu", e.cpu);
  row("cores", std::to_string(e.cores));
  row("threads per rank", std::to_string(e.threads_per_rank));
  row("kernel", e.kernel);
  row("distribution", e.distribution);
  row("compiler", e.compiler);
  row("core version", e.core_version);
  for (const auto& [name, version] : e.libraries) row(name, version);
  for (const auto& [name, value] : e.variables) row(name, value);
  row("digest", e.digest());
  return rows;
}

ordered_json plugin_rows(const Environment& e) {
  ordered_json rows = ordered_json::array();
  for (const PluginFile& p : e.plugins)
    rows.push_back(ordered_json::array({p.kind, p.name, p.version, p.file, p.sha1}));
  return rows;
}

/// Unit of each column, in the order of the files.
ordered_json columns_json() {
  ordered_json json = ordered_json::object();
  for (const Column& column : columns())
    if (column.part == Part::quantity) json.emplace(std::string(column.name), ordered_json{{"unit", column.unit}});
  return json;
}

ordered_json comparison_json(const ReportedComparison& c) {
  ordered_json changes = ordered_json::array();
  for (const ReportedChange& f : c.changes)
    changes.push_back({{"case", f.id},
                       {"metric", f.metric},
                       {"verdict", f.verdict},
                       {"regression", f.regression},
                       {"before", number_json(f.before)},
                       {"now", number_json(f.now)},
                       {"ratio", number_json(f.ratio)},
                       {"note", f.note}});
  ordered_json noisy = ordered_json::array();
  for (const NoisyTime& n : c.noisy)
    noisy.push_back({{"case", n.id}, {"metric", n.metric}, {"detectable", number_json(n.detectable)}});
  return {{"baseline", c.baseline},
          {"noisy", std::move(noisy)},
          {"noisy_text", c.noisy.empty() ? "" : noisy_text(c)},
          {"compared", c.compared},
          {"note", c.note},
          {"counts", c.counts},
          {"changes", std::move(changes)}};
}

ordered_json history_json(const ReportedHistory& h) {
  ordered_json runs = ordered_json::array(), all = ordered_json::array();
  for (const auto& run : h.runs) runs.push_back({{"started", run.started}, {"commit", run.commit}});
  for (const ReportedSeries& s : h.series) {
    ordered_json points = ordered_json::array();
    for (const auto& p : s.change_points)
      points.push_back({{"last_before", p.last_before},
                        {"run", p.first_after},
                        {"before", number_json(p.before)},
                        {"after", number_json(p.after)}});
    all.push_back(
        {{"case", s.id}, {"metric", s.metric}, {"values", numbers_json(s.values)}, {"changes", std::move(points)}});
  }
  return {{"runs", std::move(runs)}, {"series", std::move(all)}};
}

ordered_json summary_json(const Summary& s) {
  return {{"green", s.green},
          {"headline", s.headline},
          {"cases", s.cases},
          {"invariants", s.invariants},
          {"regressions", s.regressions}};
}

}  // namespace

ordered_json report_data(const ReportInput& input) {
  const RecordedRun& run = input.run;
  std::string command = "shardbench";
  for (const std::string& word : run.command_line) command += ' ' + word;
  ordered_json cases = ordered_json::array();
  for (const RecordedCase& c : run.cases) cases.push_back(case_json(c));
  return {{"version", SHARDBENCH_VERSION},
          {"run",
           {{"suite", run.suite},
            {"started", run.started},
            {"finished", run.finished},
            {"command", command},
            {"injected", run.injected},
            {"busy", run.load ? busy_text(*run.load) : ""}}},
          {"summary", summary_json(summary_of(input))},
          {"environment", environment_rows(run.environment)},
          {"load", run.load ? load_rows(*run.load) : ordered_json::array()},
          {"plugins", plugin_rows(run.environment)},
          {"columns", columns_json()},
          {"comparison", input.comparison ? comparison_json(*input.comparison) : ordered_json()},
          {"history", input.history ? history_json(*input.history) : ordered_json()},
          {"cases", std::move(cases)}};
}

}  // namespace shardbench
