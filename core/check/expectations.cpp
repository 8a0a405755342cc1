#include <fmt/format.h>

#include "check/invariant_functions.hpp"
#include "result/quantities.hpp"

namespace shardbench::invariant {
namespace {

/// One number of the reference file against one rank of one launch.
void compare(const CheckInput& in, const Expectation& expected, std::size_t launch, std::size_t rank,
             Findings& findings) {
  const std::string place = expected.place.text();
  const Column* column = find_column(expected.quantity);
  if (column == nullptr) return findings.not_run(fmt::format("there is no column '{}' ({})", expected.quantity, place));
  const Cell cell = rank_cell(*column, {.result = in.result, .launch = launch, .rank = rank});
  const auto measured = number(cell);
  const std::string where = in.rank_text(launch, rank);
  if (!measured) return findings.not_run(fmt::format("{} of {} has no number ({})", expected.quantity, where, place));
  if (expected.at_most ? *measured <= expected.value : *measured == expected.value) return;
  const std::string source = expected.source.empty() ? "" : ", source " + expected.source;
  findings.fail(fmt::format("{} of {} is {}, but {} is expected ({}{})", expected.quantity, where, text(cell),
                            (expected.at_most ? "at most " : "") + text(Cell{expected.value}), place, source));
}

}  // namespace

Finding reference_file(const CheckInput& in) {
  Findings findings;
  bool any = false;
  for (const auto& expected : in.suite.expectations) {
    if (expected.case_id != in.result.spec.id) continue;
    any = true;
    const auto world = static_cast<std::size_t>(in.result.spec.world);
    if (expected.rank && (*expected.rank < 0 || static_cast<std::size_t>(*expected.rank) >= world)) {
      findings.not_run(
          fmt::format("rank {} is outside 0 to {} ({})", *expected.rank, world - 1, expected.place.text()));
      continue;
    }
    for (std::size_t launch = 0; launch < in.result.launches.size(); ++launch)
      for (std::size_t rank = 0; rank < world; ++rank)
        if (!expected.rank || static_cast<std::size_t>(*expected.rank) == rank)
          compare(in, expected, launch, rank, findings);
  }
  if (!any)
    findings.not_run(in.suite.reference_file.empty() ? "the suite names no reference file"
                                                     : in.suite.reference_file + " has no number for this case");
  return findings.finding();
}

}  // namespace shardbench::invariant
