#include "cli/schedule_arguments.hpp"

#include <CLI/CLI.hpp>

namespace shardbench {
namespace {

constexpr auto simulate_examples = R"(
Examples:
  shardbench simulate --schedule zbv --ranks 4 --microbatches 8
  shardbench simulate --schedule 1f1b --ranks 8 --microbatches 32 --cost F=1,B=1.3,W=0.7 --latency 0.5
  shardbench simulate --compare all --ranks 8 --microbatches 32
  shardbench simulate --file plan.csv --svg plan.svg --trace plan.json

Costs are of one stage and microbatch, in any one unit of time: F forward, B gradient of the input, W gradient of the
weights; an action of the whole backward takes both. With --compare they are of a rank's whole part of the model: each
of v stages takes 1/v of them, and memory is in whole microbatches, so that schedules compare.)";

constexpr auto export_examples = R"(
Examples:
  shardbench schedule export zbv --ranks 4 --microbatches 8 -o zbv.csv
  shardbench schedule export interleaved_1f1b --ranks 4 --chunks 3 --microbatches 8 --communication

The text is PyTorch's pipeline IR: a line per rank. The schedule `csv` runs such a file.)";

void add_shape(CLI::App* command, ScheduleArguments& a, bool required) {
  command->add_option("--ranks", a.ranks, "Ranks of the pipeline")->check(CLI::Range(1, 100'000))->required(required);
  command->add_option("--microbatches", a.microbatches, "Microbatches per step")
      ->check(CLI::Range(1, 1'000'000))
      ->required(required);
  command->add_option("--chunks", a.chunks, "Stages per rank (default: the schedule's own)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--option", a.options, "An option of the schedule: NAME=VALUE (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

}  // namespace

ScheduleCommands add_schedule_commands(CLI::App& app, ScheduleArguments& a) {
  CLI::App* simulate =
      app.add_subcommand("simulate", "One step of a pipeline schedule, at any size, without running it");
  simulate->footer(simulate_examples);
  auto* named = simulate->add_option("--schedule", a.schedule, "A schedule plugin (shardbench list)");
  auto* file = simulate->add_option("--file", a.file, "A plan in PyTorch's pipeline IR in place of a schedule")
                   ->type_name("FILE");
  auto* compare =
      simulate
          ->add_option("--compare", a.compare, "Schedules in place of one, or all: ranked by makespan and by memory")
          ->delimiter(',')
          ->type_name("NAME,...|all");
  named->excludes(file)->excludes(compare);
  file->excludes(compare);
  add_shape(simulate, a, false);
  simulate->add_option("--cost", a.cost, "What actions take (default: F=1,B=1,W=1)")->type_name("F=...,B=...,W=...");
  simulate->add_option("--latency", a.latency, "Of a message, in the unit of the costs (default: 0)")
      ->check(CLI::NonNegativeNumber);
  simulate->add_option("--bandwidth", a.bandwidth, "Bytes that a link takes per unit of time (default: without end)")
      ->check(CLI::PositiveNumber);
  simulate->add_option("--bytes", a.bytes, "Of a stage's output for one microbatch, e.g. 4MB (default: 0)")
      ->type_name("SIZE");
  simulate->add_option("--svg", a.svg, "Write the Gantt chart there")->type_name("FILE")->excludes(compare);
  simulate->add_option("--trace", a.trace, "Write a trace for ui.perfetto.dev or chrome://tracing there")
      ->type_name("FILE")
      ->excludes(compare);

  CLI::App* schedule = app.add_subcommand("schedule", "Pipeline schedules as data");
  schedule->require_subcommand(1);
  CLI::App* exported = schedule->add_subcommand("export", "Write a schedule's plan as text");
  exported->footer(export_examples);
  exported->add_option("NAME", a.schedule, "A schedule plugin (shardbench list)")->required();
  add_shape(exported, a, true);
  exported->add_flag("--communication", a.communication, "With the sends and receives that the core adds");
  exported->add_option("-o,--out", a.out, "The file (default: standard output)")->type_name("FILE");
  return {simulate, schedule, exported};
}

void check_simulate(const ScheduleArguments& a) {
  if (a.schedule.empty() && a.file.empty() && a.compare.empty())
    throw CLI::RequiredError("--schedule, --file or --compare");
  if (a.file.empty() && (a.ranks == 0 || a.microbatches == 0)) throw CLI::RequiredError("--ranks and --microbatches");
  if (!a.file.empty() && (a.ranks != 0 || a.microbatches != 0 || a.chunks != 0))
    throw CLI::ValidationError("--file", "says itself how many ranks, chunks and microbatches there are");
}

}  // namespace shardbench
