#include "cli/compare_arguments.hpp"

#include <CLI/CLI.hpp>

namespace shardbench {
namespace {

constexpr auto compare_examples = R"(
Examples:
  shardbench compare results/monday results/tuesday
  shardbench compare --base results/a1 results/a2 --new results/b1 results/b2     launches are pooled
  shardbench compare results/monday results/tuesday --confirm --base-build ../monday/build/release
  shardbench compare results/here results/there --allow cpu --allow kernel -o comparison.json

Exit status: 0 all right, 1 an invariant failed in NEW, 2 bad usage or results that cannot be read, 3 a regression (more
bytes, or a time that --confirm found longer again), 4 a case crashed or timed out in NEW, 5 nothing could be compared.)";

/// Of both commands.
void add_rules(CLI::App& command, CompareArguments& a, const char* confirm_help) {
  command.add_option("--allow", a.allow, "A field of the fingerprint that may differ, e.g. kernel (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("FIELD");
  command.add_flag_callback(
      "--confirm", [&a] { a.confirm = true; }, confirm_help);
  command.add_flag_callback(
      "--no-confirm", [&a] { a.confirm = false; }, "Run nothing again: suspects stay suspects");
  command
      .add_option(
          "--base-build", a.base_build,
          "The base's build folder or program: the re-run takes turns with it, so that a slow hour is no finding; "
          "'{commit}' in it stands for the base's commit")
      ->type_name("PATH");
}

}  // namespace

CLI::App* add_compare(CLI::App& app, CompareArguments& a) {
  CLI::App* compare =
      app.add_subcommand("compare", "What changed from one result to another: a verdict per case and metric");
  compare->footer(compare_examples);
  compare->add_option("RESULTS", a.next, "BASE and NEW: results folders, or results.json files")->type_name("PATH");
  compare->add_option("--base", a.base, "One result or several, in place of BASE")->type_name("PATH");
  compare->add_option("--new", a.next, "One result or several, in place of NEW")->type_name("PATH");
  add_rules(*compare, a, "Run suspects again: only a re-run makes a time slower, or a regression");
  compare
      ->add_option("--threshold", a.threshold, "Share by which times have to differ, in place of the suite's, e.g. 0.1")
      ->check(CLI::Range(0.001, 10.0));
  compare->add_option("--launches", a.launches, "Fewest launches on each side, in place of the suite's")
      ->check(CLI::Range(2, 1000));
  compare->add_option("-o,--output", a.output, "File for all verdicts with their evidence (JSON, docs/compare.md)")
      ->type_name("FILE");
  compare->add_flag("--all", a.all, "Print what is the same, too");
  return compare;
}

void add_baseline(CLI::App& run, CompareArguments& a) {
  run.add_option("--baseline", a.baseline,
                 "Compare with these results; 'auto': the last green run of --history with the same fingerprint")
      ->type_name("DIR");
  run.add_option("--history", a.history, "Folder of all runs (shardbench history): this one is added to it")
      ->type_name("DIR");
  add_rules(run, a,
            "With a baseline, suspects are run again, which decides (the default); --no-confirm leaves them suspects");
}

void check_compare(CompareArguments& a) {
  if (a.base.empty()) {
    if (a.next.size() != 2)
      throw CLI::ValidationError("compare", "needs two results, BASE and NEW, or --base ... --new ...");
    a.base = {a.next.front()};
    a.next.erase(a.next.begin());
  } else if (a.next.empty()) {
    throw CLI::RequiredError("--new");
  }
}

}  // namespace shardbench
