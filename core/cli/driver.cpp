#include "cli/driver.hpp"

#include <algorithm>
#include <sstream>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "cli/predictions.hpp"
#include "control/json.hpp"
#include "law/accumulation.hpp"
#include "plugin/rank_library.hpp"
#include "shardbench/error.hpp"
#include "suite/case_json.hpp"

namespace shardbench {
namespace {

Message where(const PluginInfo& info) { return {{"name", info.name}, {"file", info.file.string()}}; }

using Orders = std::vector<std::vector<int>>;

/// For more steps after the checked ones the reference does not go on: alone it takes as long as all ranks together.
constexpr int most_steps_after = 4096;

/// Steps that a launch makes after the checked ones: audit, warm-up, timed, and a traced one.
int steps_after(const Case& spec, std::size_t timed) {
  return 1 + spec.warmup + static_cast<int>(timed) + (spec.program == Program::pipeline ? 1 : 0);
}

/// What the reference of a case depends on.
std::string reference_key(const Case& spec, const Orders& orders, const std::string& shown, int steps_after) {
  const Message all = spec;
  Message key;
  for (const char* field : {"model", "optimizer", "optimize", "batch", "steps", "seed", "program", "dtype", "horizon"})
    key[field] = all.at(field);
  if (spec.program == Program::training) key["world"] = spec.world;
  key["orders"] = orders;
  key["shown"] = shown;
  key["steps_after"] = steps_after;
  return key.dump();
}

}  // namespace

std::filesystem::path References::find(const std::string& key) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  return entry == entries_.end() ? std::filesystem::path{} : entry->file;
}

void References::add(std::string key, std::filesystem::path file) {
  const std::uintmax_t bytes = std::filesystem::file_size(file);
  entries_.push_back({std::move(key), std::move(file), bytes});
  std::uintmax_t total = 0;
  for (const Entry& e : entries_) total += e.bytes;
  while (total > most_bytes && entries_.size() > 1) {
    total -= entries_.front().bytes;
    std::filesystem::remove(entries_.front().file);
    entries_.erase(entries_.begin());
  }
}

Driver::Driver(const Catalogue& catalogue, PluginHost& host, const std::vector<CaseResult>& cases)
    : catalogue_(catalogue),
      library_(load_rank_library()),
      groups_(catalogue, host, library_.get<int(const RankStart*)>("shardbench_rank_main")) {
  for (const CaseResult& c : cases)
    if (catalogue_.find(PluginKind::comm, c.spec.backend)->launcher == "mpirun")
      find_mpirun();  // where there is none, before anything runs
}

std::map<std::string, std::string> Driver::library_versions() const {
  std::map<std::string, std::string> versions;
  std::istringstream lines(library_.get<const char*()>("shardbench_rank_versions")());
  for (std::string line; std::getline(lines, line);)
    versions.emplace(line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  return versions;
}

std::filesystem::path Driver::reference_for(const CaseResult& result, const Shown& shown, int steps_after,
                                            const Doing& doing) {
  const std::string key =
      reference_key(result.spec, accumulation_orders(result.schedule.plan), shown.hash, steps_after);
  std::filesystem::path file = references_.find(key);
  if (!file.empty()) return file;
  doing("reference");
  try {
    file = run_reference(result, shown, steps_after);
  } catch (...) {
    reference_group_.reset();
    throw;
  }
  references_.add(key, file);
  return file;
}

std::filesystem::path Driver::reference_meanwhile(RankGroup& group, const CaseResult& result, const Shown& shown,
                                                  int steps_after, const Doing& doing) {
  const auto begin = std::chrono::steady_clock::now();
  auto file = reference_for(result, shown, steps_after, doing);
  group.extend(std::chrono::steady_clock::now() - begin);
  return file;
}

std::filesystem::path Driver::run_reference(const CaseResult& result, const Shown& shown, int steps_after) {
  const Case& spec = result.spec;
  if (reference_group_)
    reference_group_->begin_again(spec.deadline_s);
  else
    reference_group_ = groups_.alone(spec.deadline_s);
  auto file = groups_.fresh_folder() / "reference";
  reference_group_->ask({{"type", "reference"},
                         {"case", spec},
                         {"orders", accumulation_orders(result.schedule.plan)},
                         {"records", shown.folder.string()},
                         {"steps_after", steps_after},
                         {"file", file.string()}});
  return file;
}

Driver::Shown Driver::shown_by(const RankGroup& group, const std::vector<Message>& trained) {
  Shown shown{group.board_file().parent_path(), {}};
  for (const Message& answer : trained) shown.hash += fmt::format("{:016x}", answer.at("shown").get<std::uint64_t>());
  return shown;
}

Message Driver::case_message(const CaseResult& result) const {
  const Case& spec = result.spec;
  Message m = {{"type", "case"},
               {"case", spec},
               {"comm", where(*catalogue_.find(PluginKind::comm, spec.backend))},
               {"planted", {{"slowdown", planted_.slowdown}, {"bytes", planted_.bytes}}},
               {"plan", nullptr}};
  if (spec.program == Program::training) m["strategy"] = where(*catalogue_.find(PluginKind::strategy, spec.strategy));
  if (spec.program == Program::pipeline) m["plan"] = lowered_plan(result.schedule);
  return m;
}

Launch Driver::run_launch(const CaseResult& result, benchmark::State& state, const Doing& doing) {
  const Case& spec = result.spec;
  const bool compared = spec.program != Program::collective, follows = !one_order_of_sums(spec);
  std::filesystem::path reference;
  Shown shown;
  if (compared && !follows) reference = reference_for(result, shown, 0, doing);
  doing("start");
  RankGroup& group = groups_.start(spec);
  Message start = case_message(result);
  start["deadline_s"] = group.seconds_left();
  start["board"] = group.board_file().string();
  start["records"] = group.board_file().parent_path().string();
  group.ask(start);
  doing("checked steps");
  const std::vector<Message> trained = group.ask({{"type", "train"}});
  if (compared && follows) {
    shown = shown_by(group, trained);
    reference = reference_meanwhile(group, result, shown, 0, doing);
  }
  if (compared) group.ask({{"type", "compare"}, {"reference", reference.string()}});
  doing("audit");
  group.ask({{"type", "audit"}});
  doing("timing");
  Launch launch;
  const Message step = {{"type", "step"}};
  for (int i = 0; i < spec.warmup; ++i) group.ask(step);
  for ([[maybe_unused]] auto _ : state) {
    Sample sample;
    for (const Message& answer : group.ask(step)) {
      sample.ranks.push_back(answer.at("time").get<StepTime>());
      sample.seconds = std::max(sample.seconds, sample.ranks.back().step);
    }
    state.SetIterationTime(sample.seconds);
    launch.samples.push_back(std::move(sample));
  }
  if (spec.program == Program::pipeline)
    for (const Message& answer : group.ask({{"type", "trace"}}))
      launch.traces.push_back(answer.at("spans").get<std::vector<Span>>());
  doing("conclusion");
  const int after = steps_after(spec, launch.samples.size());
  reference.clear();
  if (compared && after <= most_steps_after) reference = reference_meanwhile(group, result, shown, after, doing);
  for (const Message& answer : group.ask({{"type", "conclude"}, {"reference", reference.string()}}))
    launch.ranks.push_back(answer.at("report").get<RankReport>());
  groups_.end(spec);
  return launch;
}

void Driver::launch(CaseResult& result, benchmark::State& state, const Doing& doing) {
  if (result.status == Status::crashed || result.status == Status::timeout) {  // a launch that is lost loses the case
    state.SkipWithError(result.detail.c_str());
    return;
  }
  try {
    Launch launch = run_launch(result, state, doing);
    // Google Benchmark finds the number of iterations by shorter calls first: only the longest count.
    std::erase_if(result.launches, [&](const Launch& l) { return l.samples.size() < launch.samples.size(); });
    result.launches.push_back(std::move(launch));
    result.status = Status::ok;
  } catch (const GroupFault& fault) {
    end_lost(result, fault.kind(), fault.what(), state);
  } catch (const PluginFault& fault) {
    end_lost(result, fault.kind(), fault.line(), state);
  } catch (const Error& refusal) {  // of a backend, to say how its ranks are started
    end_lost(result, FaultKind::crashed, refusal.what(), state);
  }
}

void Driver::end_lost(CaseResult& result, FaultKind kind, const std::string& why, benchmark::State& state) {
  groups_.drop(result.spec);
  lose(result, kind, why);
  state.SkipWithError(why.c_str());
}

}  // namespace shardbench
