#include "result/read_results.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "result/cell.hpp"
#include "result/json.hpp"
#include "result/json_numbers.hpp"
#include "result/statistics.hpp"
#include "result/step_times.hpp"
#include "shardbench/error.hpp"
#include "suite/gate_json.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

Quantities quantities_of(const ordered_json& json, NamePool& pool) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : json.items()) {
    names.push_back(name);
    values.push_back(number_of(value));
  }
  return {pool.shared(std::move(names)), std::move(values)};
}

/// As the CSV files show it.
std::string cell_text(const ordered_json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned()) return text(json.get<std::uint64_t>());
  return json.is_number() ? text(json.get<double>()) : json.dump();
}

/// {"model": {"bias": true}} becomes "model.bias" -> "true"; lists stay whole.
void flatten(const ordered_json& json, const std::string& prefix, std::map<std::string, std::string>& flat) {
  for (const auto& [name, value] : json.items()) {
    if (value.is_object())
      flatten(value, prefix + name + '.', flat);
    else
      flat[prefix + name] = cell_text(value);
  }
}

/// What predicts a quantity: `predicted_X` among the quantities of a rank, else the member of its law.
Quantities law_of(const ordered_json& rank, NamePool& pool) {
  constexpr std::string_view prefix = "predicted_";
  std::vector<std::string> names;
  std::vector<double> values;
  const auto add = [&](std::string name, const ordered_json& value) {
    if (value.is_null() || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.push_back(std::move(name));
    values.push_back(value.get<double>());
  };
  for (const auto& [name, value] : rank.at("quantities").items())
    if (name.starts_with(prefix)) add(name.substr(prefix.size()), value);
  if (const auto law = rank.find("law"); law != rank.end())
    for (const auto& [name, value] : law->items())
      if (value.is_number()) add(name, value);
  return {pool.shared(std::move(names)), std::move(values)};
}

RecordedRank rank_of(const ordered_json& json, NamePool& pool) {
  RecordedRank rank;
  rank.rank = json.at("rank").get<int>();
  rank.quantities = quantities_of(json.at("quantities"), pool);
  rank.law = law_of(json, pool);
  rank.peak_moment = json.at("peak").at("moment").get<std::string>();
  rank.losses = numbers_of(json.at("losses"));
  return rank;
}

/// The columns of a launch's own times: the median over its steps, of the rank whose median is largest.
Quantities times_of(const RecordedLaunch& launch, NamePool& pool) {
  if (launch.seconds.empty()) return {};
  std::map<std::string, double> phases;
  for (const auto& rank : launch.samples)
    for (const auto& [phase, seconds] : rank)
      if (phase != "step" && !seconds.empty()) phases[phase + "_s"] = std::max(phases[phase + "_s"], median(seconds));
  std::vector<std::string> names = {"step_median_s"};
  std::vector<double> values = {median(launch.seconds)};
  for (const auto& [name, value] : phases) {
    names.push_back(name);
    values.push_back(value);
  }
  return {pool.shared(std::move(names)), std::move(values)};
}

RecordedLaunch launch_of(const ordered_json& json, NamePool& pool) {
  RecordedLaunch launch;
  for (const auto& rank : json.at("ranks")) launch.ranks.push_back(rank_of(rank, pool));
  if (const auto why = json.find("rejected_by"); why != json.end()) {
    why->get_to(launch.rejected_by);
    return launch;
  }
  launch.seconds = numbers_of(json.at("samples").at("seconds"));
  for (const auto& rank : json.at("samples").at("ranks")) {
    PhaseSamples& samples = launch.samples.emplace_back();
    for (const auto& [phase, seconds] : rank.items()) samples[phase] = numbers_of(seconds);
  }
  if (const auto stages = json.at("samples").find("stages"); stages != json.at("samples").end())
    for (const auto& stage : *stages) {
      StageSamples& samples = launch.stages.emplace_back();
      stage.at("rank").get_to(samples.rank);
      stage.at("stage").get_to(samples.stage);
      for (const auto& phase : stage_phases)
        samples.seconds[std::string(phase.name)] = numbers_of(stage.at(std::string(phase.name)));
    }
  launch.times = times_of(launch, pool);
  return launch;
}

RecordedCase case_of(const ordered_json& json, NamePool& pool) {
  static const std::set<std::string> apart = {"case",     "status", "detail",     "quantities",
                                              "settings", "spec",   "invariants", "launches"};
  RecordedCase c;
  c.id = json.at("case").get<std::string>();
  c.status = status_named(json.at("status").get<std::string>());
  c.detail = json.at("detail").get<std::string>();
  for (const auto& [name, value] : json.items())
    if (!apart.contains(name) && !value.is_structured()) c.identity[name] = cell_text(value);
  for (const auto& [name, value] : json.at("settings").items()) c.settings[name] = cell_text(value);
  flatten(json.at("spec"), "", c.spec);
  c.quantities = quantities_of(json.at("quantities"), pool);
  for (const auto& outcome : json.at("invariants"))
    c.invariants.push_back({outcome.at("name").get<std::string>(),
                            verdict_named(outcome.at("verdict").get<std::string>()),
                            outcome.at("message").get<std::string>()});
  for (const auto& launch : json.at("launches")) c.launches.push_back(launch_of(launch, pool));
  if (const auto& launches = json.at("launches"); !launches.empty() && !launches[0].at("ranks").empty())
    launches[0].at("ranks")[0].at("backend").get_to(c.backend);
  return c;
}

void check_version(const ordered_json& json, const fs::path& file) {
  const int version = json.at("schema_version").get<int>();
  if (version > results_schema_version)
    throw Error(
        fmt::format("schema_version is {}, but this Shardbench reads {} and below", version, results_schema_version),
        file.string(), "read it with the newer Shardbench that wrote it");
}

MachineLoad load_of(const ordered_json& json) {
  const auto number = [&](const char* name) {
    const ordered_json& value = json.at(name);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
  };
  MachineLoad load;
  json.at("seconds").get_to(load.seconds);
  load.load_before = number("load_before");
  load.load_after = number("load_after");
  load.others_share = number("others_share");
  load.stolen_share = number("stolen_share");
  json.at("niceness").get_to(load.niceness);
  json.at("governor").get_to(load.governor);
  load.lowest_MHz = number("lowest_MHz");
  load.highest_MHz = number("highest_MHz");
  return load;
}

[[noreturn]] void damaged(const fs::path& file, const std::string& place, const std::string& what) {
  throw Error("the results are damaged: " + place + what, file.string(), "run the suite again, or name another file");
}

}  // namespace

Quantities::Names NamePool::shared(std::vector<std::string> names) {
  for (const auto& list : lists_)
    if (*list == names) return list;
  return lists_.emplace_back(std::make_shared<const std::vector<std::string>>(std::move(names)));
}

std::string file_text(const fs::path& file) {
  std::ifstream in;
  if (fs::is_regular_file(file)) in.open(file, std::ios::binary);
  if (!in.is_open()) throw Error("there is no file to read", file.string(), "name a results folder or a results.json");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Status status_named(const std::string& name) {
  for (const Status s : {Status::ok, Status::failed, Status::crashed, Status::timeout, Status::skipped})
    if (name == name_of(s)) return s;
  throw Error("'" + name + "' is no status of a case");
}

Verdict verdict_named(const std::string& name) {
  for (const Verdict v : {Verdict::passed, Verdict::failed, Verdict::not_run})
    if (name == name_of(v)) return v;
  throw Error("'" + name + "' is no verdict on an invariant");
}

Environment environment_of(const nlohmann::json& json) {
  Environment e;
  json.at("cpu").get_to(e.cpu);
  json.at("cores").get_to(e.cores);
  json.at("kernel").get_to(e.kernel);
  json.at("distribution").get_to(e.distribution);
  json.at("compiler").get_to(e.compiler);
  json.at("core_version").get_to(e.core_version);
  json.at("commit").get_to(e.commit);
  json.at("dirty").get_to(e.dirty);
  json.at("libraries").get_to(e.libraries);
  json.at("threads_per_rank").get_to(e.threads_per_rank);
  json.at("variables").get_to(e.variables);
  for (const auto& p : json.at("plugins"))
    e.plugins.push_back({p.at("kind").get<std::string>(), p.at("name").get<std::string>(),
                         p.at("version").get<std::string>(), p.at("file").get<std::string>(),
                         p.at("sha1").get<std::string>(), p.value("outside", false)});
  return e;
}

RecordedRun read_results(const fs::path& folder_or_file) {
  const fs::path file = fs::is_directory(folder_or_file) ? folder_or_file / "results.json" : folder_or_file;
  RecordedRun recorded;
  recorded.file = file;
  std::string place;
  try {
    const ordered_json json = ordered_json::parse(file_text(file));
    check_version(json, file);
    const ordered_json& run = json.at("run");
    run.at("suite").get_to(recorded.suite);
    run.at("started").get_to(recorded.started);
    run.at("command_line").get_to(recorded.command_line);
    recorded.environment = environment_of(nlohmann::json(run.at("environment")));
    if (const auto gates = run.find("gates"); gates != run.end())
      for (const auto& [suite, gate] : gates->items()) gate.get_to(recorded.gates[suite]);
    if (const auto filter = run.find("filter"); filter != run.end()) filter->get_to(recorded.filter);
    if (const auto injected = run.find("injected"); injected != run.end()) injected->get_to(recorded.injected);
    if (const auto load = json.find("load"); load != json.end()) recorded.load = load_of(*load);
    if (!json.at("finished").is_null()) json.at("finished").get_to(recorded.finished);
    NamePool pool;
    std::set<std::string> ids;
    for (const auto& entry : json.at("cases")) {
      place = fmt::format("case {}: ", recorded.cases.size() + 1);
      if (!ids.insert(recorded.cases.emplace_back(case_of(entry, pool)).id).second)
        throw Error("'" + recorded.cases.back().id + "' is in it twice");
    }
  } catch (const ordered_json::exception& e) {
    damaged(file, place, e.what());
  } catch (const Error& e) {
    if (!e.where().empty()) throw;
    damaged(file, place, e.problem());
  }
  return recorded;
}

}  // namespace shardbench
