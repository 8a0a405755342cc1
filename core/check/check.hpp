#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// Which cases an invariant is about: sets of programs, by bits.
enum class Programs : unsigned { training = 1, pipeline = 2, both = 3, collective = 4, all = 7 };
bool contains(Programs programs, Program program);

/// An invariant, for documents and --help. Names are stable: results and continuous integration refer to them.
struct InvariantInfo {
  std::string_view name;
  Programs programs = Programs::all;
  std::string_view scope;      ///< what is compared: "each rank", "all ranks of a launch", "all launches"
  std::string_view tolerance;  ///< "exact", or what is allowed
  std::string_view meaning;    ///< what holds, and what it would mean if it did not
};

/// Every invariant, in the order in which they are checked and reported.
const std::vector<InvariantInfo>& invariants();

/// Whether the samples of a launch are step times only if it holds there.
bool is_needed_for_times(std::string_view invariant);

/// One outcome per invariant that is about the case's program (and operation), in that order. What cannot be checked is
/// `not_run` with the reason: everything, where the case crashed, ran out of time or was skipped. Throws `Error` where
/// a case that ended lacks the report of a rank. `other_backends`: cases of the same work (`work_of`) that have ended
/// before.
std::vector<InvariantOutcome> check_case(const CaseResult& result, const Suite& suite,
                                         std::span<const CaseResult* const> other_backends = {});

/// Fills `invariants` by `check_case`, makes a case that is `ok` `failed` where one of them failed, and rejects the
/// samples of launches in which one failed that times need (`Launch::rejected_by`).
void judge(CaseResult& result, const Suite& suite, std::span<const CaseResult* const> other_backends = {});

}  // namespace shardbench
