#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "check/check.hpp"
#include "cli/annotations.hpp"
#include "cli/baseline.hpp"
#include "cli/commands.hpp"
#include "cli/driver.hpp"
#include "cli/inputs.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "draw/bars.hpp"
#include "draw/execution.hpp"
#include "draw/horizon_chart.hpp"
#include "draw/phases.hpp"
#include "draw/svg_files.hpp"
#include "launch/interrupts.hpp"
#include "result/run_folder.hpp"
#include "result/tables.hpp"
#include "result/writer.hpp"
#include "shardbench/error.hpp"
#include "suite/case_json.hpp"
#include "suite/launch_order.hpp"

namespace shardbench {
namespace {

using std::chrono::steady_clock;

/// All of one `run`: cases in, results out.
class Run {
 public:
  Run(const Arguments& arguments, Inputs inputs)
      : arguments_(arguments), after_(arguments.compare), inputs_(std::move(inputs)) {
    for (SelectedCase& c : selected_cases(arguments, inputs_)) {
      cases_.push_back(std::move(c.result));
      cases_.back().injected = text(arguments.planted);
      suite_of_.push_back(c.suite);
    }
  }

  std::size_t size() const { return cases_.size(); }
  void print_cases() const {
    for (const CaseResult& c : cases_) fmt::print("{}\n", c.spec.id);
  }

  ExitCode execute();

 private:
  class Reporter;
  RunInfo info(const Driver& driver) const;
  std::vector<PluginFile> plugins() const;
  std::filesystem::path results_folder() const;
  benchmark::internal::Benchmark* register_launch(std::size_t index, Driver& driver, Progress& progress);
  void register_cases(Driver& driver, Progress& progress);
  void finish_case(std::size_t index, Progress& progress, ResultWriter& writer);
  ExitCode exit_code() const;
  void print_phases(TextStyle style) const;
  std::string suite_names() const;

  const Arguments& arguments_;
  AfterRun after_;
  Inputs inputs_;
  std::vector<CaseResult> cases_;
  std::vector<std::size_t> suite_of_;
  std::vector<int> launches_to_come_;  ///< by case
  std::map<std::string, std::vector<const CaseResult*>> ended_by_work_;
};

/// Google Benchmark tells when a benchmark has run: a launch of a case, or several where it was told to repeat it; then
/// again with their mean and median.
class Run::Reporter final : public benchmark::BenchmarkReporter {
 public:
  explicit Reporter(std::function<void(const std::string& id)> ran) : ran_(std::move(ran)) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& runs) override {
    if (!runs.empty() && runs.front().run_type != Run::RT_Aggregate) ran_(runs.front().run_name.function_name);
  }

 private:
  using Run = benchmark::BenchmarkReporter::Run;
  std::function<void(const std::string& id)> ran_;
};

std::string Run::suite_names() const {
  std::string names;
  for (const Suite& s : inputs_.suites) names += (names.empty() ? "" : "+") + s.name;
  return names;
}

RunInfo Run::info(const Driver& driver) const {
  RunInfo info;
  info.suite = suite_names();
  info.command_line = arguments_.as_typed;
  info.filter = filter_text(arguments_);
  info.injected = text(arguments_.planted);
  for (std::size_t s = 0; s < inputs_.suites.size(); ++s) info.gates[inputs_.suites[s].name] = inputs_.gates[s];
  info.environment = collect_environment();
  info.environment.libraries = driver.library_versions();
  info.environment.threads_per_rank = 1;
  info.environment.plugins = plugins();
  return info;
}

/// Those that the cases use; copies of those from outside are kept where that is asked for.
std::vector<PluginFile> Run::plugins() const {
  std::set<const PluginInfo*> used;
  for (const CaseResult& c : cases_) {
    used.insert(inputs_.catalogue.find(PluginKind::comm, c.spec.backend));
    if (c.spec.program == Program::collective) continue;
    used.insert(inputs_.catalogue.find(
        c.spec.program == Program::training ? PluginKind::strategy : PluginKind::schedule, c.spec.subject()));
  }
  std::vector<PluginFile> files;
  for (const PluginInfo* p : used) {
    PluginFile& file = files.emplace_back(plugin_file(name_of(p->kind), p->name, p->version, p->file));
    file.outside = p->origin != "build" && p->origin != "install";
    if (file.outside && !arguments_.keep_plugins.empty()) keep_plugin(file, p->file, arguments_.keep_plugins);
  }
  return files;
}

std::filesystem::path Run::results_folder() const {
  if (!arguments_.out.empty()) return arguments_.out;
  auto folder = new_run_folder("results", suite_names());
  point_latest("results", folder);
  return folder;
}

benchmark::internal::Benchmark* Run::register_launch(std::size_t index, Driver& driver, Progress& progress) {
  CaseResult& result = cases_[index];
  auto* registered = benchmark::RegisterBenchmark(result.spec.id.c_str(), [&, index](benchmark::State& state) {
    if (interrupted()) {
      cases_[index].status = Status::skipped;
      cases_[index].detail = cases_[index].launches.empty() ? "interrupted before it ran" : "interrupted";
      state.SkipWithError("interrupted");
      return;
    }
    const auto start = steady_clock::now();
    driver.launch(cases_[index], state,
                  [&](const std::string& what) { progress.doing(index + 1, cases_[index].spec.id, what); });
    cases_[index].wall_s += std::chrono::duration<double>(steady_clock::now() - start).count();
  });
  registered->UseManualTime();
  if (arguments_.benchmark_flag("min_time").empty()) registered->Iterations(result.spec.iterations);
  ++launches_to_come_[index];
  return registered;
}

/// One benchmark per launch, interleaved. Google Benchmark's flags for the number of repetitions or the time of one are
/// about one benchmark: then that is a case with all its launches.
void Run::register_cases(Driver& driver, Progress& progress) {
  launches_to_come_.assign(cases_.size(), 0);
  std::vector<Case> cases;
  for (const CaseResult& c : cases_) cases.push_back(c.spec);
  const bool repetitions_given = !arguments_.benchmark_flag("repetitions").empty();
  const bool one_each = repetitions_given || !arguments_.benchmark_flag("min_time").empty();
  if (one_each)
    for (Case& c : cases) c.launches = 1;
  for (const std::size_t index : launch_order(cases)) {
    auto* registered = register_launch(index, driver, progress);
    if (one_each && !repetitions_given) registered->Repetitions(cases_[index].spec.launches);
  }
}

void Run::finish_case(std::size_t index, Progress& progress, ResultWriter& writer) {
  CaseResult& result = cases_[index];
  auto& ended = ended_by_work_[work_of(result.spec)];
  judge(result, inputs_.suites[suite_of_[index]], ended);
  if (result.has_report()) ended.push_back(&result);
  writer.add(result);
  progress.done(index + 1, result);
}

ExitCode Run::exit_code() const {
  if (interrupted()) return ExitCode::interrupted;
  const auto any = [&](auto... statuses) {
    return std::any_of(cases_.begin(), cases_.end(),
                       [&](const CaseResult& c) { return ((c.status == statuses) || ...); });
  };
  if (any(Status::failed)) return ExitCode::failed;
  if (any(Status::crashed, Status::timeout)) return ExitCode::fault;
  return any(Status::ok) ? ExitCode::ok : ExitCode::nothing_ran;
}

/// Of the cases whose suite, or the command line, asks for it.
void Run::print_phases(TextStyle style) const {
  std::vector<CaseResult> asked;
  for (std::size_t i = 0; i < cases_.size(); ++i)
    if (arguments_.phases || inputs_.suites[suite_of_[i]].phases) asked.push_back(cases_[i]);
  fmt::print("{}", phases_report(asked, {style, unicode_wanted()}));
}

ExitCode Run::execute() {
  std::map<std::string, std::size_t> by_id;
  for (std::size_t i = 0; i < cases_.size(); ++i) by_id[cases_[i].spec.id] = i;
  watch_interrupts();
  Driver driver(inputs_.catalogue, *inputs_.host, cases_);
  driver.plant(arguments_.planted);
  ResultWriter writer(results_folder(), info(driver));
  {
    Progress progress(cases_.size());
    register_cases(driver, progress);
    Reporter reporter([&](const std::string& id) {
      const std::size_t index = by_id.at(id);
      if (--launches_to_come_[index] == 0) finish_case(index, progress, writer);
    });
    benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, "all");
    benchmark::ClearRegisteredBenchmarks();
  }
  const std::vector<std::string> problems = driver.finish();
  const MachineLoad load = writer.finish();
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  const TextStyle style{colour_wanted(STDOUT_FILENO)};
  fmt::print("{}", injected_line(cases_, style));
  print_phases(style);
  for (const HorizonChart& chart : horizon_charts(cases_)) fmt::print("{}\n", horizon_text(chart, unicode_wanted()));
  fmt::print("{}\nresults: {}\n", tables(cases_, style), writer.folder().string());
  if (load.busy()) fmt::print("{}\n", busy_text(load));
  if (!arguments_.trace.empty())
    fmt::print("traces: {} in {}\n", write_trace_files(cases_, arguments_.trace), arguments_.trace.string());
  if (!arguments_.svg.empty())
    fmt::print("pictures: {} in {}\n", write_svg_files(cases_, arguments_.svg), arguments_.svg.string());
  if (annotations_wanted()) fmt::print("{}", annotations(cases_));
  const ExitCode code = problems.empty() ? exit_code() : graver(exit_code(), ExitCode::fault);
  if (code == ExitCode::interrupted) return code;
  const ExitCode after = after_.conclude(writer.folder());
  return interrupted() ? ExitCode::interrupted : graver(code, after);
}

/// Google Benchmark reads its own flags; what it leaves is unknown.
void give_flags_to_benchmark(const Arguments& arguments) {
  static char name[] = "shardbench";  // Google Benchmark keeps the pointer, for its own JSON
  std::vector<std::string> words = arguments.benchmark_flags;
  std::vector<char*> pointers = {name};
  for (std::string& w : words) pointers.push_back(w.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (count > 1)
    throw Error(std::string("Google Benchmark knows no flag ") + pointers[1], "the command line",
                "see --benchmark_... in Google Benchmark's user guide");
}

}  // namespace

ExitCode run(const Arguments& arguments) {
  give_flags_to_benchmark(arguments);
  Run run(arguments, read_inputs(arguments));
  if (run.size() == 0) {
    fmt::print(stderr, "no case is left by --filter '{}': nothing ran\n", arguments.filter);
    return ExitCode::nothing_ran;
  }
  const bool names_only = arguments.benchmark_flag("list_tests", "false") != "false";
  if (arguments.dry_run || names_only) {
    run.print_cases();
    return ExitCode::ok;
  }
  return run.execute();
}

}  // namespace shardbench
