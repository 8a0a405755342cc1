#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"

namespace shardbench {

struct CompareOptions {
  std::vector<std::string> allow;   ///< fields of the fingerprint that may differ
  std::optional<double> threshold;  ///< in place of the suite's
  std::optional<int> launches;      ///< in place of the suite's
};

/// Compares what `next` measured with what `base` did, case by case. Cases are matched by id; launches of a case that
/// is in several results of one side are pooled, and all have to be comparable.
///
/// Counted metrics are exact, rank by rank: any change is a finding. Times are judged by `judge_times` with the [gate]
/// that the newest result of the case has recorded. A case that failed in the base is no baseline. Throws `Error` where
/// a side is empty.
Comparison compare(const std::vector<RecordedRun>& base, const std::vector<RecordedRun>& next,
                   const CompareOptions& options = {});

/// One turn of a confirming re-run: both builds, one right after the other.
struct Turn {
  std::optional<RecordedRun> base;  ///< by the base's own build; nothing where there is none
  RecordedRun next;
};

/// Takes in a re-run of the suspects, all turns of it until now. Verdicts on suspects alone change, and some may stay
/// suspects, which more turns could settle; a re-run that is not comparable with `next` confirms nothing. Where turns
/// have the base, those alone count in which both builds could run the case.
void confirm(Comparison& comparison, const std::vector<RecordedRun>& next, const std::vector<Turn>& turns);

/// Ids of cases with a suspect.
std::vector<std::string> suspects(const Comparison& comparison);

}  // namespace shardbench
