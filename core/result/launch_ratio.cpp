#include "result/launch_ratio.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

#include "result/statistics.hpp"
#include "result/step_times.hpp"
#include "suite/case_json.hpp"

namespace shardbench {
namespace {

constexpr double noise = 1.15;

std::vector<double> launch_medians(const CaseResult& result) {
  std::vector<double> medians;
  for (const auto& launch : step_times(result)) medians.push_back(median(launch));
  return medians;
}

}  // namespace

bool LaunchRatio::same() const {
  const bool overlap = least <= 1 && most >= 1;
  return (ratio <= noise && ratio >= 1 / noise) || (launches > 1 && overlap);
}

std::optional<LaunchRatio> launch_ratio(const CaseResult& result, const CaseResult& base) {
  const auto mine = launch_medians(result), other = launch_medians(base);
  if (mine.empty() || other.empty()) return std::nullopt;
  const auto [mine_least, mine_most] = std::minmax_element(mine.begin(), mine.end());
  const auto [other_least, other_most] = std::minmax_element(other.begin(), other.end());
  if (!(*other_least > 0)) return std::nullopt;
  return LaunchRatio{median(mine) / median(other), *mine_least / *other_most, *mine_most / *other_least,
                     static_cast<int>(std::min(mine.size(), other.size()))};
}

std::string text(const LaunchRatio& r) {
  if (r.same()) return fmt::format("no difference ({:.2f})", r.ratio);
  if (r.launches < 2) return fmt::format("{:.2f} (1 launch)", r.ratio);
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", r.ratio, r.least, r.most);
}

std::string TimeOverFirst::of(const CaseResult& result) {
  const auto [first, is_new] = first_.emplace(work_of(result.spec), &result);
  if (is_new) return {};
  const auto ratio = launch_ratio(result, *first->second);
  return ratio ? text(*ratio) : "-";
}

}  // namespace shardbench
