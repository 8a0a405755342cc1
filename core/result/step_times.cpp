#include "result/step_times.hpp"

#include <algorithm>

#include "result/statistics.hpp"

namespace shardbench {
namespace {

template <typename Seconds>
TimesByLaunch collect(const CaseResult& result, Seconds&& seconds) {
  TimesByLaunch all;
  for (const auto& launch : result.launches) {
    if (launch.samples.empty() || !launch.rejected_by.empty()) continue;
    auto& times = all.emplace_back();
    for (const auto& sample : launch.samples) times.push_back(seconds(sample));
  }
  return all;
}

std::vector<double> pooled(const TimesByLaunch& times) {
  std::vector<double> all;
  for (const auto& launch : times) all.insert(all.end(), launch.begin(), launch.end());
  return all;
}

}  // namespace

TimesByLaunch step_times(const CaseResult& result) {
  return collect(result, [](const Sample& sample) { return sample.seconds; });
}

TimesByLaunch rank_times(const CaseResult& result, std::size_t rank, double StepTime::*what) {
  return collect(result, [&](const Sample& sample) { return sample.ranks.at(rank).*what; });
}

std::optional<double> median_of_medians(const TimesByLaunch& times) {
  if (times.empty()) return std::nullopt;
  std::vector<double> medians;
  for (const auto& launch : times) medians.push_back(median(launch));
  return median(std::move(medians));
}

std::optional<double> smallest(const TimesByLaunch& times) {
  const auto all = pooled(times);
  if (all.empty()) return std::nullopt;
  return *std::min_element(all.begin(), all.end());
}

std::optional<double> ninetieth_percentile(const TimesByLaunch& times) { return percentile(times, 0.9); }

std::optional<double> percentile(const TimesByLaunch& times, double share) {
  auto all = pooled(times);
  if (all.empty()) return std::nullopt;
  return quantile(std::move(all), share);
}

TimesByLaunch skews(const CaseResult& result) {
  return collect(result, [](const Sample& sample) {
    const auto [least, most] = std::minmax_element(sample.ranks.begin(), sample.ranks.end(),
                                                   [](const auto& a, const auto& b) { return a.step < b.step; });
    return sample.ranks.empty() ? 0 : most->step - least->step;
  });
}

}  // namespace shardbench
