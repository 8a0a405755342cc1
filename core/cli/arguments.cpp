#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/versions.hpp"

namespace shardbench {
namespace {

constexpr auto run_examples = R"(
Examples:
  shardbench run suites/notebook-3.13.toml
  shardbench run suites/smoke.toml --filter 'zero[23].*world=2' --out /tmp/here
  shardbench run suites/smoke.toml --benchmark_repetitions=5 --benchmark_out=bench.json
  shardbench run my-suite.toml --plugin ./strategy_mine.so
  shardbench run suites/peaks.toml --phases --svg pictures
  shardbench run suites/smoke.toml --history nights --baseline auto

Google Benchmark's flags (--benchmark_...) keep their meaning; a repetition is a launch of the ranks.
Exit status: 0 all right, 1 an invariant failed, 2 bad usage or suite, 3 a regression (--baseline: more
bytes, or a time that a re-run found longer again), 4 a case crashed or timed out, 5 nothing ran.)";

constexpr auto predict_examples = R"(
Examples:
  shardbench predict --parameters 7.5e9 --ranks 64                          the table of the ZeRO paper (Figure 1)
  shardbench predict --parameters 7.5e9 --ranks 64 --memory 80GB --units 32 what fits, and what of it sends least
  shardbench predict --parameters 526336 --ranks 4 --precision float32 --bytes
  shardbench predict suites/notebook-3.13.toml                              the laws of its cases, peaks too)";

/// The subcommand `predict`, whose options are of no other.
CLI::App* add_predict(CLI::App& app, PredictArguments& p, std::vector<std::filesystem::path>& suites) {
  CLI::App* predict =
      app.add_subcommand("predict", "What every strategy costs per rank by its law, without running anything");
  predict->footer(predict_examples);
  predict->add_option("SUITE", suites, "Suite files: the laws of each of their cases")
      ->excludes(predict->add_option("--parameters", p.parameters, "Parameters of the model, e.g. 7.5e9")
                     ->check(CLI::Range(1.0, 1e15)));
  predict->add_option("--ranks", p.ranks, "Ranks that they are split over")->check(CLI::Range(1, 1'000'000));
  predict->add_option("--optimizer", p.optimizer, "adamw, momentum or sgd (default: adamw)")
      ->check(CLI::IsMember({"adamw", "momentum", "sgd"}));
  predict
      ->add_option("--precision", p.precision,
                   "mixed (16-bit weights and gradients, float32 optimizer; default), or one dtype for all")
      ->check(CLI::IsMember({"mixed", "float32", "float64", "bfloat16", "float16"}));
  predict
      ->add_option("--units", p.units,
                   "Equal parts of the model that are gathered one at a time (default: 1, the whole model)")
      ->check(CLI::Range(1, 1'000'000'000));
  predict->add_option("--memory", p.memory, "Memory of a rank, e.g. 80GB (1e9 bytes) or 80GiB: which strategies fit")
      ->type_name("SIZE");
  predict->add_option("--strategy", p.strategies, "Only these: ddp, zero1, zero2, zero3")
      ->check(CLI::IsMember({"ddp", "zero1", "zero2", "zero3"}))
      ->type_name("NAME");
  predict->add_flag("--bytes", p.bytes, "Exact bytes in place of GB with one decimal");
  return predict;
}

constexpr auto report_examples = R"(
Examples:
  shardbench report results/latest                        results/latest/report.html
  shardbench report results/latest --history history -o /tmp/report.html
  shardbench report results/latest --markdown             the summary for a merge request, to standard output)";

/// The subcommand `report`, whose options are of no other.
CLI::App* add_report(CLI::App& app, ReportArguments& r) {
  CLI::App* report = app.add_subcommand("report", "One page, or Markdown, of what a run measured and checked");
  report->footer(report_examples);
  report->add_option("RESULTS", r.results, "A run's folder, or its results.json")->required();
  report->add_option("--history", r.history, "Folder of all runs: shows the past of each case and its lasting changes")
      ->type_name("DIR");
  report->add_flag("--markdown", r.markdown, "Markdown for a merge request in place of the page");
  report
      ->add_option("-o,--out", r.output,
                   "File to write (default: report.html beside the results; Markdown: standard output)")
      ->type_name("FILE");
  return report;
}

constexpr auto gate_check_examples = R"(
Examples:
  shardbench gate-check suites/smoke.toml --rounds 100
  shardbench gate-check suites/notebook-3.13.toml --iterations 10 -o rounds.json
  shardbench gate-check suites/notebook-3.13.toml --replay rounds.json     the same rounds, by another [gate]

Every round starts each case three times, twice as it is and once with a slowdown planted inside the timed step. Blocks
of launches, as many as the suite's [gate] asks for, are then compared as two nights with a confirming re-run would be.
Exit status: 0 the goals are met (false alarms at most 1 in 200, the slowdown found 19 times in 20, one byte too many
always), 2 bad usage or suite, 3 they are not, 4 a case crashed or timed out.)";

/// The subcommand `gate-check`; its suites and filter are as of `run`.
CLI::App* add_gate_check(CLI::App& app, GateCheckArguments& g) {
  CLI::App* command = app.add_subcommand(
      "gate-check", "How good is the gate here? False alarms and detections of one build against itself");
  command->footer(gate_check_examples);
  command->add_option("--rounds", g.rounds, "Launches of each case and kind (default: 60)")
      ->check(CLI::Range(4, 10000));
  command->add_option("--slowdown", g.slowdown, "Share of the step that is planted (default: 0.25)")
      ->check(CLI::Range(0.01, 100.0));
  command->add_option("-o,--output", g.output, "File for the medians of all launches (JSON)")->type_name("FILE");
  command->add_option("--replay", g.replay, "Launch nothing: judge what an earlier -o has, by the suite's [gate]")
      ->type_name("FILE");
  return command;
}

constexpr auto main_examples = R"(
Examples:
  shardbench list                              what there is to use
  shardbench check suites/notebook-3.13.toml   is this suite right?
  shardbench run suites/notebook-3.13.toml     run it
  shardbench report results/latest             a page of it
  shardbench predict --parameters 7.5e9 --ranks 64 --memory 80GB   which strategy fits?
  shardbench simulate --schedule zbv --ranks 8 --microbatches 32   a pipeline schedule at any size)";

}  // namespace

std::string Arguments::benchmark_flag(const std::string& name, const std::string& otherwise) const {
  const std::string whole = "--benchmark_" + name, prefix = whole + "=";
  std::string value = otherwise;
  for (const std::string& flag : benchmark_flags) {
    if (flag == whole) value = "true";
    if (flag.starts_with(prefix)) value = flag.substr(prefix.size());
  }
  return value;
}

Parsed parse_arguments(int argc, char** argv) {
  Parsed parsed;
  Arguments& a = parsed.arguments;
  std::vector<std::string> own;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    a.as_typed.push_back(word);
    (word.starts_with("--benchmark_") ? a.benchmark_flags : own).push_back(word);
  }

  CLI::App app{"Measures what it costs to split the training of one model over several ranks."};
  app.footer(main_examples);
  app.require_subcommand(1);
  app.set_version_flag("--version", versions_text);
  CLI::App* run = app.add_subcommand("run", "Run suites: measure every case, check it, write the results");
  run->footer(run_examples);
  CLI::App* list =
      app.add_subcommand("list", "Plugins, suites and models that can be used, and files refused with the reason");
  CLI::App* check = app.add_subcommand("check", "Validate suites without running anything");
  CLI::App* predict = add_predict(app, a.predict, a.suites);
  CLI::App* rank = app.add_subcommand("rank", "One rank, started by mpirun for a driver")->group("");
  rank->add_option("FOLDER", a.group, "The private folder of its group")->required();
  CLI::App* report = add_report(app, a.report);
  const ScheduleCommands schedules = add_schedule_commands(app, a.schedule);
  CLI::App* compare = add_compare(app, a.compare);
  CLI::App* history = add_history(app, a.history);
  CLI::App* gate_check = add_gate_check(app, a.gate_check);
  for (CLI::App* command : {run, check, gate_check})
    command->add_option("SUITE", a.suites, "Suite files (TOML, docs/suites.md)")->required();
  for (CLI::App* command : {run, list, check, predict, gate_check, schedules.simulate, schedules.schedule_export})
    command->add_option("--plugin", a.plugins, "A plugin file to use before all others (may be repeated)")
        ->allow_extra_args(false)
        ->type_name("FILE");
  for (CLI::App* command : {run, gate_check})
    command->add_option("--filter", a.filter, "Only cases whose id has a match of this regular expression")
        ->type_name("REGEX");
  for (CLI::App* command : {run, gate_check}) {
    command->add_option("--iterations", a.iterations, "Timed steps of each launch, in place of the suite's")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--warmup", a.warmup, "Steps before the timed ones, in place of the suite's")
        ->check(CLI::Range(0, 1000000));
  }
  run->add_option("--out", a.out, "Folder for the results (default: results/<suite>-<time>)")->type_name("DIR");
  run->add_flag("--phases", a.phases,
                "Print what is alive in each phase of a step, by role (suites with phases = true do)");
  run->add_option("--svg", a.svg,
                  "Folder for pictures of the same and, of a pipeline, of its plan simulated and executed (SVG)")
      ->type_name("DIR");
  run->add_option("--trace", a.trace, "Folder for traces of one step of each pipeline, for ui.perfetto.dev")
      ->type_name("DIR");
  run->add_option("--keep-plugins", a.keep_plugins,
                  "Folder for copies of the plugins from outside that the cases use (DIR/HASH/FILE): what --base-build "
                  "needs of a later run, in plugins/ of the build folder")
      ->type_name("DIR");
  add_baseline(*run, a.compare);
  run->add_option_function<std::vector<std::string>>("--inject",
                                                     [&a](const std::vector<std::string>& all) {
                                                       for (const auto& what : all) plant(what, a.planted);
                                                     })
      ->allow_extra_args(false)
      ->group("");  // docs/nightly.md: to see a night turn red
  run->add_flag("--dry-run", a.dry_run, "Print the cases and run none");

  try {
    std::reverse(own.begin(), own.end());  // CLI11 takes them from the back
    app.parse(own);
    if (predict->parsed() && a.suites.empty() && (a.predict.parameters == 0 || a.predict.ranks == 0))
      throw CLI::RequiredError("SUITE, or --parameters and --ranks,");
    if (schedules.simulate->parsed()) check_simulate(a.schedule);
    if (compare->parsed()) check_compare(a.compare);
  } catch (const CLI::ParseError& e) {
    parsed.done = true;
    parsed.status = app.exit(e) == 0 ? 0 : static_cast<int>(ExitCode::usage);
    return parsed;
  }
  using Command = Arguments::Command;
  const std::pair<const CLI::App*, Command> commands[] = {{run, Command::run},
                                                          {list, Command::list},
                                                          {check, Command::check},
                                                          {predict, Command::predict},
                                                          {rank, Command::rank},
                                                          {report, Command::report},
                                                          {compare, Command::compare},
                                                          {history, Command::history},
                                                          {gate_check, Command::gate_check},
                                                          {schedules.simulate, Command::simulate},
                                                          {schedules.schedule, Command::schedule}};
  for (const auto& [app_of, command] : commands)
    if (app_of->parsed()) a.command = command;
  return parsed;
}

}  // namespace shardbench
