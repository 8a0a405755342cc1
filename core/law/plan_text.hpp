#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// PyTorch's pipeline IR (torch.distributed.pipelining.schedules, _Action): stage, kind, microbatch: "2F0", "3SEND_F1".
std::string text(const Action& action);

/// The kinds' names: F, B, I, W, SEND_F, RECV_F, SEND_B, RECV_B.
std::string_view name_of(ActionKind kind);

/// The compute actions of a list that may hold communication too.
std::vector<Action> compute_only(const std::vector<Action>& actions);
Plan compute_only(const Plan& plan);

/// A plan as PyTorch writes one (_dump_csv): a line per rank, its actions separated by commas. `parse_plan` of it is
/// the same plan.
std::string plan_text(const Plan& plan);

/// A plan as it was read, and where in the text it has what.
struct ParsedPlan {
  Plan plan;
  std::vector<int> lines;                 ///< by rank, from 1
  std::vector<std::vector<int>> columns;  ///< by rank and action: its first byte in the line, from 1
};

/// Reads `plan_text`'s form and what PyTorch, editors and spreadsheets write besides: empty fields (the rank waits),
/// blanks, tabs (as commas), a byte order mark, lines ending in CR LF, blank lines at the end,
/// "(3F4;0B2)OVERLAP_F_B" (two actions, read one after the other) and REDUCE_GRAD, UNSHARD, RESHARD (of its FSDP, left
/// out). Every stage lives on the rank whose line has its actions. Throws `Error` at `name`:line:column for what is not
/// an action, a stage on two ranks or on none, and a text without actions. Whether the plan can run is not asked here.
ParsedPlan parse_plan(std::string_view text, std::string_view name);

/// Microbatches of a plan: one more than the largest that it has.
int microbatches_of(const Plan& plan);

}  // namespace shardbench
