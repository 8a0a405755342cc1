#include <fmt/format.h>
#include <algorithm>

#include "check/invariant_functions.hpp"

namespace shardbench::invariant {
namespace {

/// The checked calls' buffers or the timed calls'.
using Buffers = BufferCheck RankReport::*;

/// Of one launch: how many of `of` elements are `bad`, and the first of them with its rank.
void count_bad(const std::vector<RankReport>& ranks, Buffers buffers, std::uint64_t BufferCheck::*of,
               std::uint64_t BufferCheck::*bad, std::string BufferCheck::*first, std::string_view what,
               Findings& findings) {
  std::uint64_t all = 0, count = 0;
  const RankReport* worst = nullptr;
  for (const auto& r : ranks) {
    all += r.*buffers.*of;
    count += r.*buffers.*bad;
    if (worst == nullptr && r.*buffers.*bad > 0) worst = &r;
  }
  if (worst != nullptr)
    findings.fail(fmt::format("{} of {} {} over all ranks, first on rank {}: {}", count, all, what, worst->rank,
                              worst->*buffers.*first));
  else if (all == 0)
    findings.not_run("the arrays are empty");
}

void count_wrong(const std::vector<RankReport>& ranks, Buffers buffers, Findings& findings) {
  count_bad(ranks, buffers, &BufferCheck::checked_elements, &BufferCheck::wrong_elements, &BufferCheck::first_wrong,
            "elements are wrong", findings);
}

void count_changed(const std::vector<RankReport>& ranks, Buffers buffers, Findings& findings) {
  count_bad(ranks, buffers, &BufferCheck::input_elements, &BufferCheck::changed_elements, &BufferCheck::first_changed,
            "elements of the inputs are changed", findings);
}

void count_outside(const RankReport& r, Buffers buffers, Findings& findings) {
  if ((r.*buffers).guard_bytes_written > 0)
    findings.fail(fmt::format("{} bytes are written outside of the arrays, first: {}", (r.*buffers).guard_bytes_written,
                              (r.*buffers).first_guard));
}

void compare_barriers(const std::vector<RankReport>& ranks, Buffers buffers, Findings& findings) {
  if (ranks.size() < 2) return findings.not_run("there is one rank");
  for (const auto& r : ranks)
    if ((r.*buffers).barrier_ns.size() != ranks.size())
      return findings.fail(differs(fmt::format("rank {}:", r.rank), (r.*buffers).barrier_ns.size(), "checked barriers",
                                   "there are", ranks.size()));
  for (std::size_t call = 0; call < ranks.size(); ++call) {
    const auto entered = [&](const RankReport& r) { return (r.*buffers).barrier_ns[call][0]; };
    const auto last = std::max_element(ranks.begin(), ranks.end(),
                                       [&](const auto& a, const auto& b) { return entered(a) < entered(b); });
    for (const auto& r : ranks)
      if ((r.*buffers).barrier_ns[call][1] < entered(*last))
        findings.fail(fmt::format("rank {} left barrier {} {} ns before rank {} entered it", r.rank, call + 1,
                                  entered(*last) - (r.*buffers).barrier_ns[call][1], last->rank));
  }
}

/// Whether every rank gets the whole sum.
bool all_ranks_get_the_sum(const Case& spec) {
  return spec.operation == Collective::all_reduce || spec.operation == Collective::reduce_scatter_all_gather;
}

}  // namespace

Finding elements_right(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    count_wrong(ranks, &RankReport::buffers, findings);
  });
}

Finding inputs_unchanged(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    count_changed(ranks, &RankReport::buffers, findings);
  });
}

Finding guard_bands_intact(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    count_outside(r, &RankReport::buffers, findings);
  });
}

Finding barrier_waits(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    compare_barriers(ranks, &RankReport::buffers, findings);
  });
}

Finding messages_matched(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.buffers.mismatched_messages > 0)
      findings.fail(fmt::format("{} receives got another message than theirs, first: {}", r.buffers.mismatched_messages,
                                r.buffers.first_mismatched));
  });
}

Finding same_sums(const CheckInput& in) {
  const Case& spec = in.result.spec;
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    for (const auto& r : ranks) {
      for (const auto* buffers : {&r.buffers, &r.timed_buffers})
        if (buffers->changed_sums > 0) findings.fail(fmt::format("rank {}: {}", r.rank, buffers->first_changed_sum));
      const auto &mine = r.buffers.sum_digests, &first = ranks.front().buffers.sum_digests;
      if (mine.empty()) findings.fail(fmt::format("rank {} has no digest of a sum", r.rank));
      if (!all_ranks_get_the_sum(spec)) continue;
      for (std::size_t set = 0; set < std::min(mine.size(), first.size()); ++set)
        if (mine[set] != first[set])
          findings.fail(fmt::format("call {}: rank {} has other bits than rank {}: digest {:016x}, not {:016x}",
                                    set + 1, r.rank, ranks.front().rank, mine[set], first[set]));
    }
  });
}

Finding timed_calls_right(const CheckInput& in) {
  return each_launch(in, [&](const std::vector<RankReport>& ranks, Findings& findings) {
    constexpr auto timed = &RankReport::timed_buffers;
    if (in.result.spec.operation == Collective::barrier) return compare_barriers(ranks, timed, findings);
    count_wrong(ranks, timed, findings);
    const bool reads_only = ranks.front().buffers.input_elements > 0;
    if (reads_only) count_changed(ranks, timed, findings);
    for (const auto& r : ranks) {
      count_outside(r, timed, findings);
      if (r.timed_buffers.mismatched_messages > 0)
        findings.fail(fmt::format("rank {}: {}", r.rank, r.timed_buffers.first_mismatched));
    }
  });
}

}  // namespace shardbench::invariant
