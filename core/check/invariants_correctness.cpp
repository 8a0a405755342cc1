#include <fmt/format.h>
#include <algorithm>
#include <climits>

#include "check/invariant_functions.hpp"
#include "result/quantities.hpp"

namespace shardbench::invariant {

namespace {

std::string in_step(const NotFinite& n) { return fmt::format("in checked step {} {} is {}", n.step, n.where, n.value); }

void compare(const RankReport& r, const Difference& difference, Findings& findings) {
  if (!difference.compared) return findings.not_run("no reference");
  if (r.not_finite && r.reference_not_finite)
    return findings.not_run("the training diverges: " + in_step(*r.not_finite));
  if (difference.equal()) return;
  const std::string step = difference.step == 0 ? "" : fmt::format(" after checked step {}", difference.step);
  if (difference.exact)
    return findings.fail(fmt::format("{} differs by {} from the reference{}, but every bit should be equal",
                                     difference.where, difference.max_abs, step));
  findings.fail(fmt::format("{} differs by {} from the reference{}, {} times what the order of additions can do",
                            difference.where, difference.max_abs, step, difference.max_tolerated_ratio));
}

Finding compare_all(const CheckInput& in, Difference RankReport::*difference) {
  return each_rank(in,
                   [&](const RankReport& r, std::size_t, Findings& findings) { compare(r, r.*difference, findings); });
}

}  // namespace

bool diverges(const CheckInput& in) {
  for (const Launch& launch : in.result.launches)
    for (const RankReport& r : launch.ranks)
      if (r.not_finite && r.reference_not_finite) return true;
  return false;
}

Finding finite(const CheckInput& in) {
  const bool expected = in.result.spec.expect == Expect::diverged;
  if (expected && diverges(in)) return {};
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    const auto step = [](const RankReport& r) { return r.not_finite ? r.not_finite->step : INT_MAX; };
    const auto first = std::ranges::min_element(ranks, {}, step);
    if (first->not_finite)
      findings.fail(
          first->reference_not_finite
              ? fmt::format("diverged: rank {}: {}, and the reference diverges too: lower the learning rate, "
                            "or say expect = \"diverged\"",
                            first->rank, in_step(*first->not_finite))
              : fmt::format("rank {}: {}, but the reference stays finite", first->rank, in_step(*first->not_finite)));
    else if (expected)
      findings.fail("the suite expects the training to diverge, but every number is finite");
  });
}

Finding same_parameters(const CheckInput& in) {
  if (diverges(in)) return {Verdict::not_run, "the training diverges"};
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    if (ranks.size() < 2) return findings.not_run("there is one rank");
    for (std::size_t i = 1; i < ranks.size(); ++i)
      if (ranks[i].parameters_hash != ranks[0].parameters_hash)
        findings.fail(fmt::format("rank {}: parameters have hash {:016x}, but those of rank 0 have {:016x}", i,
                                  ranks[i].parameters_hash, ranks[0].parameters_hash));
  });
}

Finding loss_equals_reference(const CheckInput& in) {
  if (!in.pipeline()) return compare_all(in, &RankReport::loss_difference);
  // Only the last stage has a loss.
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    bool any = false;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (ranks[rank].losses.empty()) continue;
      any = true;
      Findings one;
      compare(ranks[rank], ranks[rank].loss_difference, one);
      const Finding finding = one.finding();
      if (finding.verdict == Verdict::failed) findings.fail(fmt::format("rank {}: {}", rank, finding.message));
      if (finding.verdict == Verdict::not_run) findings.not_run(fmt::format("rank {}: {}", rank, finding.message));
    }
    if (!any) findings.not_run("no rank reported a loss");
  });
}

Finding gradients_equal_reference(const CheckInput& in) { return compare_all(in, &RankReport::gradients_difference); }

Finding parameters_equal_reference(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    Findings one;
    compare(r, r.parameters_difference, one);
    Finding finding = one.finding();
    if (finding.verdict == Verdict::not_run) return findings.not_run(finding.message);
    if (finding.verdict == Verdict::passed) return;
    const int mistake = r.parameters_difference.known_mistake;
    if (mistake != 0)
      finding.message +=
          fmt::format("; whatever differs has its value from before the {} update", mistake == 1 ? "last" : "first");
    else if (!r.refused_gradient.empty())
      finding.message += "; " + r.refused_gradient;
    else if (r.gradients_difference.equal())
      finding.message += "; the gradients before the last update are right";
    findings.fail(std::move(finding.message));
  });
}

void require_optimizer_steps(const CheckInput& in, const RankReport& r, const std::vector<double>& counted,
                             std::uint64_t made, Findings& findings) {
  if (counted.empty())
    return findings.not_run(r.optimizer_bytes == 0 || in.result.spec.optimizer.kind != OptimizerKind::adamw
                                ? "the optimizer's state here has no `step`"
                                : "no holding of the optimizer is named `step`");
  for (const double steps : counted)
    if (steps != static_cast<double>(made))
      findings.fail(fmt::format("the optimizer has counted {} steps, but {} were made", steps, made));
}

Finding optimizer_steps(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    require_optimizer_steps(in, r, r.optimizer_steps, static_cast<std::uint64_t>(in.result.spec.steps), findings);
  });
}

Finding own_rows(const CheckInput& in) {
  const auto steps = static_cast<std::size_t>(in.result.spec.steps);
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const auto &mine = ranks[i].rows_hashes, &wanted = ranks[i].reference_rows_hashes;
      if (mine.size() != steps) {
        findings.fail(differs(fmt::format("rank {}:", i), mine.size(), "steps with rows", "the case has", steps));
        continue;
      }
      if (wanted.size() != steps) {
        findings.not_run(fmt::format("rank {}: the reference has the rows of {} steps of {}", i, wanted.size(), steps));
        continue;
      }
      for (std::size_t step = 0; step < steps; ++step)
        if (mine[step] != wanted[step])
          findings.fail(fmt::format("rank {}: the rows of step {} have hash {:016x}, but the reference's have {:016x}",
                                    i, step + 1, mine[step], wanted[step]));
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t step = 0; step < std::min(steps, ranks[j].rows_hashes.size()); ++step)
          if (mine[step] == ranks[j].rows_hashes[step])
            findings.fail(fmt::format("ranks {} and {} trained on the same rows in step {} (hash {:016x})", j, i,
                                      step + 1, mine[step]));
    }
  });
}

Finding same_over_launches(const CheckInput& in) {
  Findings findings;
  const auto& launches = in.result.launches;
  if (launches.size() < 2) findings.not_run("there is one launch");
  for (std::size_t launch = 1; launch < launches.size(); ++launch)
    for (std::size_t rank = 0; rank < launches[launch].ranks.size(); ++rank)
      for (const auto& column : columns()) {
        if (!column.counted) continue;
        const Cell first = rank_cell(column, {.result = in.result, .launch = 0, .rank = rank});
        const Cell cell = rank_cell(column, {.result = in.result, .launch = launch, .rank = rank});
        if (cell == first) continue;
        const std::string unit = column.unit == "count" ? "" : fmt::format(" {}", column.unit);
        findings.fail(fmt::format("{}: {} is {}{}, but {} in launch 1", in.rank_text(launch, rank), column.name,
                                  text(cell), unit, text(first)));
      }
  return findings.finding();
}

}  // namespace shardbench::invariant
