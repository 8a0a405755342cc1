#include <fmt/format.h>
#include <algorithm>

#include "check/invariant_functions.hpp"

namespace shardbench::invariant {
namespace {

/// Of one launch: how many of `of` elements are `bad`, and the first of them with its rank.
void count_bad(const std::vector<RankReport>& ranks, std::uint64_t BufferCheck::*of, std::uint64_t BufferCheck::*bad,
               std::string BufferCheck::*first, std::string_view what, Findings& findings) {
  std::uint64_t all = 0, count = 0;
  const RankReport* worst = nullptr;
  for (const auto& r : ranks) {
    all += r.buffers.*of;
    count += r.buffers.*bad;
    if (worst == nullptr && r.buffers.*bad > 0) worst = &r;
  }
  if (worst != nullptr)
    findings.fail(fmt::format("{} of {} {} over all ranks, first on rank {}: {}", count, all, what, worst->rank,
                              worst->buffers.*first));
  else if (all == 0)
    findings.not_run("the arrays are empty");
}

}  // namespace

Finding elements_right(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    count_bad(ranks, &BufferCheck::checked_elements, &BufferCheck::wrong_elements, &BufferCheck::first_wrong,
              "elements are wrong", findings);
  });
}

Finding inputs_unchanged(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    count_bad(ranks, &BufferCheck::input_elements, &BufferCheck::changed_elements, &BufferCheck::first_changed,
              "elements of the inputs are changed", findings);
  });
}

Finding guard_bands_intact(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.buffers.guard_bytes_written > 0)
      findings.fail(fmt::format("{} bytes are written outside of the arrays, first: {}", r.buffers.guard_bytes_written,
                                r.buffers.first_guard));
  });
}

Finding barrier_waits(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    if (ranks.size() < 2) return findings.not_run("there is one rank");
    for (const auto& r : ranks)
      if (r.buffers.barrier_ns.size() != ranks.size())
        return findings.fail(differs(fmt::format("rank {}:", r.rank), r.buffers.barrier_ns.size(), "checked barriers",
                                     "there are", ranks.size()));
    for (std::size_t call = 0; call < ranks.size(); ++call) {
      const auto entered = [&](const RankReport& r) { return r.buffers.barrier_ns[call][0]; };
      const auto last = std::max_element(ranks.begin(), ranks.end(),
                                         [&](const auto& a, const auto& b) { return entered(a) < entered(b); });
      for (const auto& r : ranks)
        if (r.buffers.barrier_ns[call][1] < entered(*last))
          findings.fail(fmt::format("rank {} left barrier {} {} ns before rank {} entered it", r.rank, call + 1,
                                    entered(*last) - r.buffers.barrier_ns[call][1], last->rank));
    }
  });
}

}  // namespace shardbench::invariant
