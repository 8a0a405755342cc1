#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"

namespace shardbench {

/// A part of a timed step: its name in results.json, whose column is NAME_s.
struct StepPhase {
  std::string_view name;
  double StepTime::*seconds;
  bool pipeline_only = false;
};
inline constexpr std::array step_phases{
    StepPhase{"forward", &StepTime::forward}, StepPhase{"backward", &StepTime::backward},
    StepPhase{"communication", &StepTime::communication}, StepPhase{"update", &StepTime::update},
    StepPhase{"idle", &StepTime::idle, true}};

/// The same of a stage, for one microbatch: the actions F, B, I and W.
struct StagePhase {
  std::string_view name;
  double StageTime::*seconds;
};
inline constexpr std::array stage_phases{
    StagePhase{"forward", &StageTime::forward}, StagePhase{"backward", &StageTime::backward},
    StagePhase{"input", &StageTime::input}, StagePhase{"weight", &StageTime::weight}};

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
