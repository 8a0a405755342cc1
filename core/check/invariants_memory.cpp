#include <fmt/format.h>

#include "check/invariant_functions.hpp"
#include "shardbench/role.hpp"

namespace shardbench::invariant {
namespace {

std::uint64_t live(const RankReport& report, Role role) { return report.live_at_rest[static_cast<std::size_t>(role)]; }

/// "weights:".
std::string label(Role role) { return fmt::format("{}:", name_of(role)); }

std::uint64_t total_of(const RankReport& r) { return r.weights_bytes + r.gradients_bytes + r.optimizer_bytes; }

}  // namespace

Finding rest_equals_law(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    const auto compare = [&](Role role, std::uint64_t measured, std::uint64_t law) {
      if (measured != law) findings.fail(differs(label(role), measured, "bytes", "the law says", law));
    };
    compare(Role::weights, r.weights_bytes, r.law.weights);
    compare(Role::gradients, r.gradients_bytes, r.law.gradients);
    compare(Role::optimizer, r.optimizer_bytes, r.law.optimizer);
  });
}

Finding equal_totals(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    if (ranks.size() < 2) return findings.not_run("there is one rank");
    for (const auto& r : ranks)
      if (!r.law.equal_on_all_ranks) return findings.not_run("the law says ranks differ");
    for (std::size_t i = 1; i < ranks.size(); ++i)
      if (total_of(ranks[i]) != total_of(ranks[0]))
        findings.fail(
            differs(fmt::format("rank {}:", i), total_of(ranks[i]), "bytes at rest", "rank 0 has", total_of(ranks[0])));
  });
}

Finding holdings_equal_allocator(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    const std::uint64_t alive = total(r.live_at_rest);
    if (r.held_storage_bytes != alive)
      findings.fail(
          differs("the storages of the holdings have", r.held_storage_bytes, "bytes", "the allocator has", alive));
    const auto compare = [&](Role role, std::uint64_t held) {
      if (held != live(r, role))
        findings.fail(differs(label(role), held, "bytes held", "the allocator has", live(r, role)));
    };
    compare(Role::weights, r.weights_bytes);
    compare(Role::gradients, r.gradients_bytes);
    compare(Role::optimizer, r.optimizer_bytes);
  });
}

Finding peak_within_law(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.peak.bytes > r.law.peak)
      findings.fail(differs("peak:", r.peak.bytes, "bytes", "the law allows", r.law.peak) + ", in " + r.peak.moment);
  });
}

Finding peak_close_to_law(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (static_cast<double>(r.peak.bytes) < 0.99 * static_cast<double>(r.law.peak))
      findings.fail(differs("peak:", r.peak.bytes, "bytes", "the law says", r.law.peak) + ", over 1 %, in " +
                    r.peak.moment);
  });
}

Finding step_leaves_nothing(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.alive_after_step != r.alive_before_step)
      findings.fail(
          differs("alive after the step:", r.alive_after_step, "bytes", "before it there were", r.alive_before_step));
  });
}

Finding saved_equals_consumed(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.saved.saved != r.saved.consumed)
      findings.fail(differs("saved:", r.saved.saved, "tensors", "backward used", r.saved.consumed));
  });
}

Finding saved_released(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.saved.alive_after != 0)
      findings.fail(fmt::format("{} saved tensors are alive after the step, but 0 should be", r.saved.alive_after));
  });
}

}  // namespace shardbench::invariant
