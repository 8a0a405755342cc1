#include <fmt/format.h>

#include "check/invariant_functions.hpp"
#include "result/quantities.hpp"

namespace shardbench::invariant {
namespace {

/// One number of the reference file against what was measured.
void compare(const Expectation& expected, const Cell& cell, const std::string& where, Findings& findings) {
  const std::string place = expected.place.text();
  const auto measured = number(cell);
  if (!measured) return findings.not_run(fmt::format("{} of {} has no number ({})", expected.quantity, where, place));
  if (expected.at_most ? *measured <= expected.value : *measured == expected.value) return;
  const std::string source = expected.source.empty() ? "" : ", source " + expected.source;
  findings.fail(fmt::format("{} of {} is {}, but {} is expected ({}{})", expected.quantity, where, text(cell),
                            (expected.at_most ? "at most " : "") + text(Cell{expected.value}), place, source));
}

/// A number of each rank, or of the rank that it is about, in every launch.
void compare_ranks(const CheckInput& in, const Expectation& expected, const Column& column, Findings& findings) {
  const auto world = static_cast<std::size_t>(in.result.spec.world);
  if (expected.rank && (*expected.rank < 0 || static_cast<std::size_t>(*expected.rank) >= world))
    return findings.not_run(
        fmt::format("rank {} is outside 0 to {} ({})", *expected.rank, world - 1, expected.place.text()));
  for (std::size_t launch = 0; launch < in.result.launches.size(); ++launch)
    for (std::size_t rank = 0; rank < world; ++rank)
      if (!expected.rank || static_cast<std::size_t>(*expected.rank) == rank)
        compare(expected, rank_cell(column, {.result = in.result, .launch = launch, .rank = rank}),
                in.rank_text(launch, rank), findings);
}

}  // namespace

Finding reference_file(const CheckInput& in) {
  Findings findings;
  bool any = false;
  for (const auto& expected : in.suite.expectations) {
    if (expected.case_id != in.result.spec.id) continue;
    any = true;
    const Column* column = find_column(expected.quantity);
    if (column == nullptr)
      findings.not_run(fmt::format("there is no column '{}' ({})", expected.quantity, expected.place.text()));
    else if (column->of_rank == nullptr)
      compare(expected, case_cell(*column, {.result = in.result}), "the case", findings);
    else
      compare_ranks(in, expected, *column, findings);
  }
  if (!any)
    findings.not_run(in.suite.reference_file.empty() ? "the suite names no reference file"
                                                     : in.suite.reference_file + " has no number for this case");
  return findings.finding();
}

}  // namespace shardbench::invariant
