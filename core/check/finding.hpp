#pragma once
#include <concepts>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "suite/case.hpp"

/// What the functions of the invariants share.

namespace shardbench {

struct CheckInput {
  const CaseResult& result;
  const Suite& suite;
  std::span<const CaseResult* const> other_backends = {};  ///< cases of the same work that have ended before this one

  bool pipeline() const { return result.spec.program == Program::pipeline; }
  /// "rank 1", or "launch 2, rank 1" where there are several launches. Launches count from 1, ranks from 0.
  std::string rank_text(std::size_t launch, std::size_t rank) const;
  /// "", or "launch 2: " where there are several.
  std::string launch_prefix(std::size_t launch) const;
};

/// What one invariant found.
struct Finding {
  Verdict verdict = Verdict::passed;
  std::string message;
  std::set<std::size_t> launches = {};  ///< in which it failed; empty where it is not about single launches
};

/// Gathers what is wrong, place by place, into one finding: failed with the first few complaints, else not run with the
/// first reason, else passed.
class Findings {
 public:
  void fail(std::string complaint) { complaints_.push_back(std::move(complaint)); }
  void fail(std::size_t launch, std::string complaint) {
    launches_.insert(launch);
    fail(std::move(complaint));
  }
  void not_run(std::string reason) { reasons_.push_back(std::move(reason)); }
  Finding finding() const;

 private:
  std::vector<std::string> complaints_, reasons_;
  std::set<std::size_t> launches_;
};

/// Calls `check(report, rank, place_findings)` for every rank of every launch; complaints get the place in front.
/// `check` is given the index of the rank.
template <typename Check>
Finding each_rank(const CheckInput& in, Check&& check) {
  Findings all;
  for (std::size_t launch = 0; launch < in.result.launches.size(); ++launch) {
    const auto& ranks = in.result.launches[launch].ranks;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      Findings one;
      check(ranks[rank], rank, one);
      const Finding finding = one.finding();
      if (finding.verdict == Verdict::failed) all.fail(launch, in.rank_text(launch, rank) + ": " + finding.message);
      if (finding.verdict == Verdict::not_run) all.not_run(in.rank_text(launch, rank) + ": " + finding.message);
    }
  }
  return all.finding();
}

/// Calls `check(ranks, findings)` for every launch; complaints get the launch in front where there are several.
template <typename Check>
Finding each_launch(const CheckInput& in, Check&& check) {
  Findings all;
  for (std::size_t launch = 0; launch < in.result.launches.size(); ++launch) {
    Findings one;
    check(in.result.launches[launch].ranks, one);
    const Finding finding = one.finding();
    if (finding.verdict == Verdict::failed) all.fail(launch, in.launch_prefix(launch) + finding.message);
    if (finding.verdict == Verdict::not_run) all.not_run(in.launch_prefix(launch) + finding.message);
  }
  return all.finding();
}

/// "weights: 8 bytes, but the law says 12 bytes (4 less)", for `what` = "weights:".
std::string differs(std::string_view what, std::uint64_t measured, std::string_view unit, std::string_view other,
                    std::uint64_t expected);

}  // namespace shardbench
