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

/// Throws `Error` where something was injected into the run (`run --inject`): it is no baseline.
void require_baseline(const RecordedRun& run);

/// Compares what `next` measured with what `base` did, case by case. Cases are matched by id; launches of a case that
/// is in several results of one side are pooled, and all have to be comparable.
///
/// Counted metrics are exact, rank by rank: any change is a finding. Times are judged by `judge_times` with the [gate]
/// that the newest result of the case has recorded, so they are the same or suspects, never a regression: `confirm`
/// decides. A case that failed in the base is no baseline. Throws `Error` where a side is empty, or something was
/// injected into a run of the base.
Comparison compare(const std::vector<RecordedRun>& base, const std::vector<RecordedRun>& next,
                   const CompareOptions& options = {});

/// One turn of a confirming re-run: both builds, one right after the other.
struct Turn {
  std::optional<RecordedRun> base;  ///< by the base's own build; nothing where there is none
  RecordedRun next;
};

/// Takes in a re-run of the suspects, all turns of it until now. Verdicts on suspects alone change, and some may stay
/// suspects, which more turns could settle. Where turns have the base, those alone count in which both builds could run
/// the case. A re-run that is not comparable with `next`, or in which a side had another plugin from outside than when
/// it was measured, confirms nothing: the suspect stays one, with that as its reason.
void confirm(Comparison& comparison, const std::vector<RecordedRun>& base, const std::vector<RecordedRun>& next,
             const std::vector<Turn>& turns);

/// Ids of the cases with a suspect that a re-run, or more of it, could settle.
std::vector<std::string> suspects(const Comparison& comparison);

/// The suspects of a case stay suspects: it cannot be run again, for this reason.
void leave_suspect(Comparison& comparison, const std::string& id, const std::string& why);

}  // namespace shardbench
