#include "law/plan_file.hpp"

#include <string>

#include "base/text.hpp"
#include "law/plan.hpp"
#include "law/plan_text.hpp"

namespace shardbench {
namespace {

std::string place_of(const PlanFault& fault, const ParsedPlan& parsed, std::string_view name) {
  std::string place(name);
  if (fault.rank() < 0) return place;
  const auto rank = static_cast<std::size_t>(fault.rank());
  const int column = fault.index() < 0 ? 1 : parsed.columns.at(rank).at(static_cast<std::size_t>(fault.index()));
  return place + ":" + std::to_string(parsed.lines.at(rank)) + ":" + std::to_string(column);
}

}  // namespace

Plan read_plan(std::string_view text, std::string_view name) {
  const ParsedPlan parsed = parse_plan(text, name);
  const ScheduleInput in{static_cast<int>(parsed.plan.ranks.size()), 0, microbatches_of(parsed.plan), {}};
  try {
    (communicates(parsed.plan) ? validate_lowered : validate)(parsed.plan, in);
  } catch (const PlanFault& fault) {
    throw Error(fault.problem(), place_of(fault, parsed, name), "correct the plan");
  }
  return compute_only(parsed.plan);
}

Plan read_plan(const std::filesystem::path& file) { return read_plan(read_text(file, "plan"), file.string()); }

}  // namespace shardbench
