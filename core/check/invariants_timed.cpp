#include <fmt/format.h>

#include "check/invariant_functions.hpp"

/// The steps after the audit, as `conclude` finds them. A launch that fails one of these gives no step times.

namespace shardbench::invariant {
namespace {

std::string steps_text(std::uint64_t steps) { return fmt::format("{} step{}", steps, steps == 1 ? "" : "s"); }

Traffic times(const Traffic& step, std::uint64_t steps) {
  Traffic all = step;
  for (auto& o : all.operations) {
    o.calls *= steps;
    o.payload_bytes *= steps;
    o.sent_bytes *= steps;
    o.received_bytes *= steps;
  }
  return all;
}

/// A parameter of a rank is not finite after the last step, nor is the reference.
bool diverges_later(const RankReport& r) { return r.timed.not_finite && r.timed.reference_not_finite; }

}  // namespace

Finding timed_sent_equals_law(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t rank, Findings& findings) {
    const Traffic* predicted = predicted_traffic(in, r, rank, findings);
    if (predicted == nullptr) return;
    const std::string says =
        fmt::format("for {} {}", steps_text(r.timed.steps), in.pipeline() ? "the plan says" : "the law says");
    compare_traffic(r.timed.traffic, times(*predicted, r.timed.steps), says, findings);
  });
}

Finding timed_wire_equals_audit(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    if (!r.timed.bytes_on_wire || !r.bytes_on_wire)
      return findings.not_run(fmt::format("the backend '{}' does not tell what it sends", in.result.spec.backend));
    const std::uint64_t wanted = *r.bytes_on_wire * r.timed.steps;
    if (*r.timed.bytes_on_wire != wanted)
      findings.fail(differs(fmt::format("the backend sent in {}", steps_text(r.timed.steps)), *r.timed.bytes_on_wire,
                            "bytes", "by the audit it sends", wanted));
  });
}

Finding timed_sent_equals_received(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    std::uint64_t sent = 0, received = 0;
    for (const auto& r : ranks) {
      sent += r.timed.traffic.sent_bytes();
      received += r.timed.traffic.received_bytes();
    }
    if (sent != received) findings.fail(differs("all ranks together sent", sent, "bytes", "they received", received));
  });
}

Finding timed_steps_leave_nothing(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.timed.alive_after != r.timed.alive_before)
      findings.fail(differs(fmt::format("alive after {}:", steps_text(r.timed.steps)), r.timed.alive_after, "bytes",
                            "before them there were", r.timed.alive_before));
  });
}

Finding timed_optimizer_steps(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    require_optimizer_steps(in, r, r.timed.optimizer_steps,
                            static_cast<std::uint64_t>(in.result.spec.steps) + 1 + r.timed.steps, findings);
  });
}

Finding timed_same_parameters(const CheckInput& in) {
  const auto& launches = in.result.launches;
  Findings findings;
  bool compared = false;
  const auto compare = [&](std::size_t launch, std::size_t rank, std::size_t with_launch, std::size_t with_rank) {
    compared = true;
    if (diverges_later(launches[launch].ranks[rank])) return;
    const TimedPart &mine = launches[launch].ranks[rank].timed, &other = launches[with_launch].ranks[with_rank].timed;
    if (mine.parameters_hash != other.parameters_hash)
      findings.fail(launch, fmt::format("{}: parameters after {} have hash {:016x}, but those of {} have {:016x}",
                                        in.rank_text(launch, rank), steps_text(mine.steps), mine.parameters_hash,
                                        in.rank_text(with_launch, with_rank), other.parameters_hash));
  };
  for (std::size_t launch = 0; launch < launches.size(); ++launch) {
    const auto& ranks = launches[launch].ranks;
    for (std::size_t rank = 1; rank < ranks.size() && !in.pipeline(); ++rank) compare(launch, rank, launch, 0);
    if (launch == 0 || ranks[0].timed.steps != launches[0].ranks[0].timed.steps) continue;
    for (std::size_t rank = 0; rank < (in.pipeline() ? ranks.size() : 1); ++rank) compare(launch, rank, 0, rank);
  }
  if (!compared) findings.not_run("there is one launch, in which no two ranks have the same parameters");
  return findings.finding();
}

Finding timed_finite(const CheckInput& in) {
  const bool expected = in.result.spec.expect == Expect::diverged;
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    for (const RankReport& r : ranks) {
      if (!r.timed.not_finite || (expected && diverges_later(r))) continue;
      return findings.fail(fmt::format(
          "{}rank {}: after step {} {} is {}, {}", diverges_later(r) ? "diverged: " : "", r.rank,
          r.timed.not_finite->step, r.timed.not_finite->where, r.timed.not_finite->value,
          !diverges_later(r) ? "but the reference stays finite"
                             : fmt::format("and the reference diverges too, in step {}: lower the learning rate, or "
                                           "time fewer steps",
                                           r.timed.reference_not_finite->step)));
    }
  });
}

Finding timed_parameters_equal_reference(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    const Difference& d = r.timed.parameters_difference;
    if (!d.compared) return findings.not_run("no reference went on for as many steps");
    if (diverges_later(r)) return findings.not_run("the training diverges");
    if (d.equal()) return;
    findings.fail(d.exact
                      ? fmt::format("after step {} {} differs by {} from the reference, but every bit should be equal",
                                    d.step, d.where, d.max_abs)
                      : fmt::format("after step {} {} and its tensor are {:.3g} times as far from the reference as "
                                    "rounding can lead",
                                    d.step, d.where, d.max_tolerated_ratio));
  });
}

}  // namespace shardbench::invariant
