#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "check/invariant_functions.hpp"
#include "result/parameter_count.hpp"

namespace shardbench::invariant {
namespace {

/// How a rank's gradients are wrong, where it is a known way; else empty.
std::string known_mistake(const Difference& d, std::size_t world) {
  if (d.known_mistake != 0) return "the gradients that differ are those of its own rows alone: they were not averaged";
  if (d.multiple != 0)
    return fmt::format(
        "all gradients are {:.4g} times the average over {} ranks: they were divided by the wrong number, "
        "or not once",
        d.multiple, world);
  return {};
}

}  // namespace

Finding gradients_averaged(const CheckInput& in) {
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    if (ranks.size() < 2) return findings.not_run("there is one rank");
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const Difference& d = ranks[rank].gradients_difference;
      if (ranks[rank].not_finite && ranks[rank].reference_not_finite) {
        findings.not_run(fmt::format("rank {}: the training diverges", rank));
        continue;
      }
      if (!d.compared) {
        findings.not_run(fmt::format("rank {}: no reference", rank));
        continue;
      }
      const std::string mistake = d.equal() ? std::string{} : known_mistake(d, ranks.size());
      if (!mistake.empty()) findings.fail(fmt::format("rank {}: {}", rank, mistake));
    }
  });
}

Finding gradients_cover_parameters(const CheckInput& in) {
  const std::uint64_t elements = parameter_count(in.result.spec.model);
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    std::vector<std::array<std::uint64_t, 2>> pieces;
    for (const auto& r : ranks) pieces.insert(pieces.end(), r.gradient_pieces.begin(), r.gradient_pieces.end());
    std::sort(pieces.begin(), pieces.end());
    pieces.push_back({elements, elements});
    std::uint64_t covered = 0, missing = 0, first_missing = 0;
    for (const auto& [begin, end] : pieces) {
      if (begin > covered) {
        if (missing == 0) first_missing = covered;
        missing += begin - covered;
      }
      covered = std::max(covered, end);
    }
    if (missing > 0)
      findings.fail(fmt::format("no rank showed the gradients of {} of {} elements, from element {} on", missing,
                                elements, first_missing));
  });
}

}  // namespace shardbench::invariant
