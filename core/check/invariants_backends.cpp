#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "check/invariant_functions.hpp"
#include "result/quantities.hpp"

namespace shardbench::invariant {
namespace {

void same_counts(const CheckInput& in, const CaseResult& other, std::size_t rank, Findings& findings) {
  for (const auto& column : columns()) {
    if (!column.counted) continue;
    const Cell mine = rank_cell(column, {.result = in.result, .launch = 0, .rank = rank});
    const Cell theirs = rank_cell(column, {.result = other, .launch = 0, .rank = rank});
    if (mine == theirs || text(mine).empty() || text(theirs).empty()) continue;  // empty: a backend that does not know
    findings.fail(
        fmt::format("rank {}: {} is {}, but {} in {}", rank, column.name, text(mine), text(theirs), other.spec.id));
  }
}

void same_losses(const CheckInput& in, const CaseResult& other, std::size_t rank, Findings& findings) {
  const auto &mine = in.result.ranks()[rank].losses, &theirs = other.ranks()[rank].losses;
  if (mine.size() != theirs.size())
    return findings.fail(
        fmt::format("rank {}: {} losses, but {} in {}", rank, mine.size(), theirs.size(), other.spec.id));
  // Later losses follow from gradients that each backend adds in its own order.
  const std::size_t steps = one_order_of_sums(in.result.spec) ? mine.size() : std::min<std::size_t>(1, mine.size());
  for (std::size_t step = 0; step < steps; ++step)
    if (mine[step] != theirs[step] && !(std::isnan(mine[step]) && std::isnan(theirs[step])))
      findings.fail(fmt::format("rank {}: the loss of step {} is {}, but {} in {}", rank, step + 1, mine[step],
                                theirs[step], other.spec.id));
}

/// Where sums have several orders, each backend's parameters are compared with a reference that follows its order, by
/// `parameters_equal_reference`.
void same_parameters(const CheckInput& in, const CaseResult& other, std::size_t rank, Findings& findings) {
  const auto mine = in.result.ranks()[rank].parameters_hash, theirs = other.ranks()[rank].parameters_hash;
  if (one_order_of_sums(in.result.spec) && mine != theirs && !diverges(in))
    findings.fail(
        fmt::format("rank {}: parameters have hash {:016x}, but {:016x} in {}", rank, mine, theirs, other.spec.id));
}

}  // namespace

Finding backends_agree(const CheckInput& in) {
  Findings findings;
  if (in.other_backends.empty()) findings.not_run("no case of the same work on another backend has ended before");
  for (const CaseResult* other : in.other_backends)
    for (std::size_t rank = 0; rank < in.result.ranks().size(); ++rank) {
      same_counts(in, *other, rank, findings);
      same_losses(in, *other, rank, findings);
      same_parameters(in, *other, rank, findings);
    }
  return findings.finding();
}

}  // namespace shardbench::invariant
