#include "planted/planted_bugs.hpp"

#include <map>
#include <tuple>

namespace shardbench::testing {
namespace {

/// What all planted suites share. The model divides by nothing: units of 216, 703 and 874 elements.
constexpr auto preamble = R"(schema = 1
name = "planted"

[model.odd]
widths = [11, 18, 37, 23]
activation = "relu"
loss = "mse"

[model.large]
widths = [256, 256, 256]

[defaults]
model = "odd"
steps = 2
warmup = 0
iterations = 1
)";

constexpr auto right_plugins = R"(
[[training]]
name = "right"
strategy = ["ddp", "zero1", "zero2", "zero3", "fsdp2", "planted_ddp", "planted_zero1", "planted_zero3", "planted_late"]
world = [1, 2, 3, 4]
unit = ["root", "layer"]
optimizer = ["adamw", "momentum"]
batch = 4

[[pipeline]]
name = "right"
schedule = ["gpipe", "1f1b", "planted_gpipe", "planted_1f1b"]
world = [2, 3]
horizon = 4
optimizer = "adamw"
batch = 8
)";

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// The plugin of `bug` with these bugs, on its model and optimizer.
std::string table_of(const PlantedBug& bug, const std::string& bugs) {
  const std::string common = "model = " + quoted(bug.model) + "\noptimizer = " + quoted(bug.optimizer) +
                             "\noptions = { bug = [" + bugs + "] }\n";
  if (bug.pipeline())
    return "\n[[pipeline]]\nschedule = " + quoted(bug.plugin) + "\nworld = [2, 3]\nhorizon = 4\nbatch = 8\n" + common;
  return "\n[[training]]\nstrategy = " + quoted(bug.plugin) + "\nworld = [2, 3, 4]\nunit = \"layer\"\nbatch = 4\n" +
         common;
}

}  // namespace

const std::vector<PlantedBug>& planted_bugs() {
  static const std::vector<PlantedBug> all = {
      {"planted_zero1", "never_averages", "gradients are never averaged: the notebook's own ZeRO-1",
       "gradients_averaged"},
      {"planted_ddp", "averages_twice", "gradients are divided by the world twice", "gradients_averaged"},
      {"planted_ddp", "not_divided", "gradients are summed and not divided", "gradients_averaged"},
      {"planted_ddp", "not_divided", "gradients are summed and not divided, under SGD", "gradients_averaged",
       Caught::invariant, 2, "sgd"},
      {"planted_ddp", "wrong_world", "gradients are divided by one rank too many", "gradients_averaged"},
      {"planted_ddp", "divides_by_two", "gradients are divided by 2: right by luck at world 2", "gradients_averaged",
       Caught::invariant, 3},
      {"planted_ddp", "rank_0_rows", "every rank trains on the rows of rank 0 alone", "gradients_averaged"},
      {"planted_ddp", "one_layer", "the gradients of one layer are not divided", "gradients_equal_reference"},
      {"planted_zero3", "padding", "the padding of the flat gradient shifts elements into a neighbour's shard",
       "gradients_equal_reference"},
      {"planted_zero1", "uncovered", "a parameter's gradients are left out of the comparison",
       "gradients_cover_parameters"},
      {"planted_zero1", "wrong_owner", "updated parameters are broadcast by a rank that has not updated them",
       "parameters_equal_reference"},
      {"planted_zero1", "old_copy", "the parameters from before the update are sent to all ranks",
       "parameters_equal_reference"},
      {"planted_zero1", "no_broadcast", "updated parameters stay with their owners", "same_parameters"},
      {"planted_ddp", "ulp_drift", "one parameter of one rank drifts by one ulp per step", "same_parameters"},
      {"planted_ddp", "skips_update", "one rank skips its update in the last checked step", "optimizer_steps"},
      {"planted_ddp", "step_stuck", "the optimizer's step count does not advance on one rank", "optimizer_steps"},
      {"planted_ddp", "no_momentum", "momentum is not applied", "parameters_equal_reference", Caught::invariant, 2,
       "momentum"},
      {"planted_ddp", "epsilon", "AdamW's epsilon is 1e-6 in place of 1e-8", "parameters_equal_reference"},
      {"planted_ddp", "learning_rate", "the learning rate is off by 0.1 %", "parameters_equal_reference"},
      {"planted_ddp", "not_finite", "one rank's gradients are not a number in the second step", "finite"},
      {"planted_zero3", "ungathered", "a unit's forward runs before it is gathered",
       "unit 1 is used while it is not gathered", Caught::rank},
      {"planted_zero3", "ungathered_backward", "a unit's backward runs after it is released",
       "unit 0 is used while it is not gathered", Caught::rank},
      {"planted_zero3", "keeps_unit", "a unit is not freed after its forward", "peak_within_law"},
      {"planted_zero3", "never_frees", "a unit is not freed after its backward", "holdings_equal_allocator"},
      {"planted_zero3", "keeps_view", "a whole gradient is freed, but a view keeps its memory alive",
       "holdings_equal_allocator"},
      {"planted_ddp", "hides_buffer", "a buffer is not among the holdings", "holdings_equal_allocator"},
      {"planted_ddp", "leaks", "every step keeps a copy of its gradients", "step_leaves_nothing"},
      {"planted_late", "stops_reducing", "gradients are no longer reduced after the audit", "timed_sent_equals_law"},
      {"planted_late", "stops_updating", "one rank no longer updates after the audit", "timed_same_parameters"},
      {"planted_late", "leaks", "every step after the audit keeps 4 MB", "timed_steps_leave_nothing"},
      {"planted_late", "hides_vector", "every step keeps a copy of all parameters in a std::vector", "heap_held",
       Caught::invariant, 2, "adamw", "large"},
      {"planted_late", "grows_heap", "every step keeps 400 KB more in a std::vector", "step_leaves_heap"},
      {"planted_late", "old_values", "after the audit every update is undone", "timed_parameters_equal_reference"},
      {"planted_late", "drifts", "after the audit every update is followed by a factor of 1.00001",
       "timed_parameters_equal_reference"},
      {"planted_late", "not_finite", "after the audit a parameter is not a number", "timed_finite"},
      {"planted_zero1", "whole_state", "every rank holds the whole optimizer state, and shards are claimed",
       "rest_equals_law"},
      {"planted_zero1", "law_equal", "equal ranks are claimed where tensors cannot be dealt evenly", "equal_totals"},
      {"planted_ddp", "sends_twice", "the gradients are reduced twice", "sent_equals_law"},
      {"planted_ddp", "two_buckets", "the law claims one call fewer than are made", "sent_equals_law"},
      {"planted_zero3", "law_one_gather", "the law claims half of the gathers", "sent_equals_law"},
      {"planted_ddp", "law_lucky", "the law's bytes sent are right by luck at world 2", "sent_equals_law",
       Caught::invariant, 3},
      {"planted_ddp", "law_half", "the law's optimizer state is off by a factor of 2", "rest_equals_law"},
      {"planted_ddp", "law_peak", "the law's peak is off by a factor of 2", "peak_close_to_law"},
      {"planted_gpipe", "skips_last", "the last microbatch is skipped",
       "F of stage 0, microbatch 3 is done 0 times, not once", Caught::suite},
      {"planted_gpipe", "same_twice", "the gradient of one microbatch is taken twice, of another never",
       "B (or I) of stage 0, microbatch 2 is done 2 times, not once", Caught::suite},
      {"planted_gpipe", "other_stage", "ranks compute the stages of others", "1F0 belongs to rank 1", Caught::suite},
      {"planted_1f1b", "too_early", "a backward is planned before its forward",
       "0B3 can never run: it needs 0F3, which comes later", Caught::suite},
      {"planted_1f1b", "late_release", "activations are released later than the law claims", "simulation_equals_law"},
      {"planted_1f1b", "law_same", "the law claims rank 0's microbatches in flight for every rank",
       "simulation_equals_law"},
      {"planted_1f1b", "w_never", "the gradients of the weights are never computed for one microbatch",
       "B (or W) of stage 0, microbatch 3 is done 0 times, not once", Caught::suite},
      {"planted_1f1b", "w_twice", "they are computed twice for one microbatch, never for another",
       "B (or W) of stage 0, microbatch 2 is done 2 times, not once", Caught::suite},
      {"planted_1f1b", "w_early", "they are planned before the gradient that they need", "0W0 can never run",
       Caught::suite},
      {"planted_1f1b", "w_late", "all are computed at the end, and the law claims that nothing is kept for them",
       "simulation_equals_law"},
  };
  return all;
}

std::vector<int> worlds_of(const PlantedBug& bug) {
  return bug.pipeline() ? std::vector<int>{2, 3} : std::vector<int>{2, 3, 4};
}

std::string suite_of_all() {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<PlantedBug>> tables;
  for (const PlantedBug& bug : planted_bugs())
    if (bug.how != Caught::suite) tables[{bug.plugin, bug.optimizer, bug.model}].push_back(bug);
  std::string text = std::string(preamble) + right_plugins;
  for (const auto& [key, bugs] : tables) {
    std::string list;
    for (const PlantedBug& bug : bugs) list += (list.empty() ? "" : ", ") + quoted(bug.bug);
    text += table_of(bugs.front(), list);
  }
  return text;
}

std::string suite_of(const PlantedBug& bug) { return preamble + table_of(bug, quoted(bug.bug)); }

}  // namespace shardbench::testing
