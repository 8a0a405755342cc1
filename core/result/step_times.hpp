#pragma once
#include <optional>
#include <vector>

#include "result/case_result.hpp"

namespace shardbench {

/// Timed seconds of a case: one list per launch that gave samples which count (`Launch::rejected_by`).
using TimesByLaunch = std::vector<std::vector<double>>;

/// Of the step over all ranks (the slowest rank each time).
TimesByLaunch step_times(const CaseResult& result);
/// Of one rank: its step, or a phase of it, e.g. &StepTime::forward.
TimesByLaunch rank_times(const CaseResult& result, std::size_t rank, double StepTime::*what);

/// The median over launches of each launch's median: samples within a launch are not independent, launches are.
/// Nothing where there are no samples; so below.
std::optional<double> median_of_medians(const TimesByLaunch& times);
/// Over all samples of all launches.
std::optional<double> smallest(const TimesByLaunch& times);
std::optional<double> ninetieth_percentile(const TimesByLaunch& times);
std::optional<double> percentile(const TimesByLaunch& times, double share);

/// Between the fastest and the slowest rank, sample by sample.
TimesByLaunch skews(const CaseResult& result);

}  // namespace shardbench
