#include "result/column_tables.hpp"
#include "result/step_times.hpp"

namespace shardbench {
namespace {

/// The ranks of a `send` take turns, and one rank has nobody to differ from.
bool has_skew(const Row& row) {
  const Case& spec = row.result.spec;
  return collective(row) && spec.operation != Collective::send && spec.world > 1;
}

Cell wrong_elements(const Row& row) {
  const auto& operation = row.result.spec.operation;
  if (!row.result.has_report() || !operation || !has_array(*operation)) return {};
  std::uint64_t sum = 0;
  for (const auto& report : row.result.ranks()) sum += report.buffers.wrong_elements;
  return sum;
}

}  // namespace

std::vector<Column> collective_columns() {
  return {
      {.name = "step_p99_s",
       .unit = "s",
       .source = "clock",
       .meaning = "99th percentile of the timed calls of all launches (collective)",
       .of_case = [](const Row& r) { return collective(r) ? cell(percentile(step_times(r.result), 0.99)) : Cell{}; }},
      {.name = "skew_s",
       .unit = "s",
       .source = "clock",
       .meaning = "between the fastest and the slowest rank of a call, median as step_median_s (collective but send)",
       .of_case = [](const Row& r) { return has_skew(r) ? cell(median_of_medians(skews(r.result))) : Cell{}; }},
      {.name = "wrong_elements",
       .unit = "count",
       .source = "program",
       .meaning = "elements of the checked calls' results, over all ranks, that are not the closed form's (collective)",
       .of_case = wrong_elements},
  };
}

}  // namespace shardbench
