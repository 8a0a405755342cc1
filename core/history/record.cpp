#include "history/record.hpp"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compare/comparability.hpp"
#include "result/json.hpp"
#include "result/json_numbers.hpp"
#include "result/quantities.hpp"
#include "result/read_results.hpp"
#include "shardbench/error.hpp"
#include "suite/gate_json.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Of the columns of results.csv: what is counted or timed.
bool followed(std::string_view name) {
  const Column* column = find_column(name);
  return column != nullptr && (column->counted || column->unit == "s");
}

/// Whole numbers without a point, so that counts stay short.
ordered_json number_json(double value) {
  constexpr double most_exact = 9007199254740992.0;  // 2^53
  if (std::isnan(value)) return nullptr;
  if (value >= 0 && value <= most_exact && value == std::floor(value)) return static_cast<std::uint64_t>(value);
  return value;
}

/// Lists of names, each written once; rows refer to them by index.
class NameLists {
 public:
  ordered_json row(const Quantities& quantities) {
    std::vector<std::string> names;
    ordered_json row = ordered_json::array({0});
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      names.push_back(quantities.name(i));
      row.push_back(number_json(quantities.value(i)));
    }
    auto it = std::find(lists_.begin(), lists_.end(), names);
    row[0] = static_cast<std::size_t>(it - lists_.begin());
    if (it == lists_.end()) lists_.push_back(std::move(names));
    return row;
  }
  ordered_json json() const { return lists_; }

 private:
  std::vector<std::vector<std::string>> lists_;
};

class NameReader {
 public:
  NameReader(const ordered_json& lists, NamePool& pool) {
    for (const auto& list : lists) lists_.push_back(pool.shared(list.get<std::vector<std::string>>()));
  }
  Quantities row(const ordered_json& row) const {
    std::vector<double> values;
    values.reserve(row.size());
    for (std::size_t i = 1; i < row.size(); ++i) values.push_back(number_of(row[i]));
    return {lists_.at(row.at(0).get<std::size_t>()), std::move(values)};
  }

 private:
  std::vector<Quantities::Names> lists_;
};

Quantities followed_of(const RecordedCase& c) {
  auto names = std::make_shared<std::vector<std::string>>();
  std::vector<double> values;
  for (std::size_t i = 0; i < c.quantities.size(); ++i)
    if (followed(c.quantities.name(i))) {
      names->push_back(c.quantities.name(i));
      values.push_back(c.quantities.value(i));
    }
  return {std::move(names), std::move(values)};
}

ordered_json summary_json(const RecordedRun& run, std::size_t whole_bytes) {
  NameLists names;
  ordered_json cases = ordered_json::array();
  for (const RecordedCase& c : run.cases) {
    ordered_json medians = ordered_json::array(), times = ordered_json::array();
    for (const RecordedLaunch& launch : c.launches)
      if (const auto median = launch.times.find("step_median_s")) {
        medians.push_back(*median);
        times.push_back(names.row(launch.times));
      }
    // The medians alone are what versions before the last member read.
    cases.push_back({c.id, name_of(c.status), names.row(followed_of(c)), std::move(medians), std::move(times)});
  }
  return {{"history_version", history_version},
          {"whole_bytes", whole_bytes},
          {"suite", run.suite},
          {"filter", run.filter},
          {"injected", run.injected},
          {"started", run.started},
          {"finished", run.finished},
          {"commit", run.environment.commit_text()},
          {"fingerprint", fingerprint_digest(run)},
          {"green", run.green()},
          {"names", names.json()},
          {"cases", std::move(cases)}};
}

ordered_json launch_json(const RecordedLaunch& launch, bool first, NameLists& names) {
  ordered_json ranks = ordered_json::array();
  if (first)
    for (const RecordedRank& r : launch.ranks)
      ranks.push_back({r.rank, names.row(r.quantities), names.row(r.law), r.peak_moment});
  return {{"ranks", std::move(ranks)}, {"seconds", launch.seconds}, {"times", names.row(launch.times)}};
}

ordered_json whole_json(const RecordedRun& run) {
  NameLists names;
  ordered_json cases = ordered_json::array();
  for (const RecordedCase& c : run.cases) {
    ordered_json invariants = ordered_json::array(), launches = ordered_json::array();
    for (const InvariantOutcome& o : c.invariants) invariants.push_back({o.name, name_of(o.verdict), o.message});
    for (const RecordedLaunch& launch : c.launches)
      launches.push_back(launch_json(launch, &launch == &c.launches.front(), names));
    cases.push_back({{"case", c.id},
                     {"status", name_of(c.status)},
                     {"detail", c.detail},
                     {"identity", c.identity},
                     {"settings", c.settings},
                     {"spec", c.spec},
                     {"backend", c.backend},
                     {"quantities", names.row(c.quantities)},
                     {"invariants", std::move(invariants)},
                     {"launches", std::move(launches)}});
  }
  return {{"suite", run.suite},
          {"started", run.started},
          {"finished", run.finished},
          {"command_line", run.command_line},
          {"environment", environment_json(run.environment)},
          {"gates", ordered_json(run.gates)},
          {"filter", run.filter},
          {"injected", run.injected},
          {"names", names.json()},
          {"cases", std::move(cases)}};
}

RecordedCase case_of(const ordered_json& json, const NameReader& names) {
  RecordedCase c;
  json.at("case").get_to(c.id);
  c.status = status_named(json.at("status").get<std::string>());
  json.at("detail").get_to(c.detail);
  json.at("identity").get_to(c.identity);
  json.at("settings").get_to(c.settings);
  json.at("spec").get_to(c.spec);
  json.at("backend").get_to(c.backend);
  c.quantities = names.row(json.at("quantities"));
  for (const auto& o : json.at("invariants"))
    c.invariants.push_back(
        {o.at(0).get<std::string>(), verdict_named(o.at(1).get<std::string>()), o.at(2).get<std::string>()});
  for (const auto& entry : json.at("launches")) {
    RecordedLaunch& launch = c.launches.emplace_back();
    for (const auto& r : entry.at("ranks"))
      launch.ranks.push_back(
          {r.at(0).get<int>(), names.row(r.at(1)), names.row(r.at(2)), r.at(3).get<std::string>(), {}});
    launch.seconds = numbers_of(entry.at("seconds"));
    launch.times = names.row(entry.at("times"));
  }
  return c;
}

/// The times of each launch; of a file written before it had them all, the medians of the steps.
std::vector<Quantities> launches_of(const ordered_json& entry, const NameReader& names, NamePool& pool) {
  std::vector<Quantities> launches;
  if (entry.size() > 4)
    for (const auto& row : entry[4]) launches.push_back(names.row(row));
  else
    for (const double median : numbers_of(entry.at(3))) launches.push_back({pool.shared({"step_median_s"}), {median}});
  return launches;
}

[[noreturn]] void damaged(const fs::path& file, const std::string& what) {
  throw Error("this file of the history is damaged: " + what, file.string(), "move it out of the history's folder");
}

std::string first_line(std::ifstream& in, const fs::path& file) {
  std::string line;
  if (!in.is_open() || !std::getline(in, line) || in.eof()) damaged(file, "it has no whole first line");
  return line;
}

void check_version(const ordered_json& summary, const fs::path& file) {
  const int version = summary.at("history_version").get<int>();
  if (version > history_version)
    throw Error(fmt::format("history_version is {}, but this Shardbench reads {} and below", version, history_version),
                file.string(), "read it with the newer Shardbench that wrote it");
}

}  // namespace

std::string fingerprint_digest(const RecordedRun& run) {
  std::string all;
  for (const auto& [field, value] : fingerprint_of(run).machine) all += fmt::format("{}={}\n", field, value);
  return sha1(all).substr(0, 10);
}

std::string record_text(const RecordedRun& run) {
  const std::string whole = dump(whole_json(run));
  return dump(summary_json(run, whole.size())) + '\n' + whole + '\n';
}

HistoryRun read_summary(const fs::path& file, NamePool& pool) {
  std::ifstream in(file, std::ios::binary);
  const std::string line = first_line(in, file);
  HistoryRun run;
  run.file = file;
  try {
    const ordered_json json = ordered_json::parse(line);
    check_version(json, file);
    const auto size = line.size() + 1 + json.at("whole_bytes").get<std::size_t>() + 1;
    if (const auto found = fs::file_size(file); found != size)
      damaged(file, fmt::format("it has {} bytes, but {} were written", found, size));
    json.at("suite").get_to(run.suite);
    run.filter = json.value("filter", "");
    run.injected = json.value("injected", "");
    json.at("started").get_to(run.started);
    json.at("finished").get_to(run.finished);
    json.at("commit").get_to(run.commit);
    json.at("fingerprint").get_to(run.fingerprint);
    json.at("green").get_to(run.green);
    const NameReader names(json.at("names"), pool);
    for (const auto& entry : json.at("cases"))
      run.cases.push_back({entry.at(0).get<std::string>(), status_named(entry.at(1).get<std::string>()),
                           names.row(entry.at(2)), launches_of(entry, names, pool)});
  } catch (const ordered_json::exception& e) {
    damaged(file, e.what());
  } catch (const std::out_of_range& e) {
    damaged(file, e.what());
  }
  return run;
}

RecordedRun read_record(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line = first_line(in, file);
  RecordedRun run;
  run.file = file;
  try {
    check_version(ordered_json::parse(line), file);
    if (!std::getline(in, line)) damaged(file, "it has no second line");
    const ordered_json json = ordered_json::parse(line);
    json.at("suite").get_to(run.suite);
    json.at("started").get_to(run.started);
    json.at("finished").get_to(run.finished);
    json.at("command_line").get_to(run.command_line);
    run.environment = environment_of(nlohmann::json(json.at("environment")));
    for (const auto& [suite, gate] : json.at("gates").items()) gate.get_to(run.gates[suite]);
    run.filter = json.value("filter", "");
    json.at("injected").get_to(run.injected);
    NamePool pool;
    const NameReader names(json.at("names"), pool);
    for (const auto& entry : json.at("cases")) run.cases.push_back(case_of(entry, names));
  } catch (const ordered_json::exception& e) {
    damaged(file, e.what());
  } catch (const std::out_of_range& e) {
    damaged(file, e.what());
  }
  return run;
}

}  // namespace shardbench
