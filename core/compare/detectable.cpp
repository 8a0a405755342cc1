#include "compare/detectable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "compare/mann_whitney.hpp"
#include "compare/signed_rank.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

using Numbers = std::vector<double>;

constexpr int draws = 100;
constexpr double found_share = 0.95;

/// Draws with replacement, the same ones on every machine.
class Draw {
 public:
  Numbers operator()(const Numbers& pool, std::size_t count) {
    Numbers drawn(count);
    for (double& value : drawn) value = pool[random_() % pool.size()];
    return drawn;
  }

 private:
  std::mt19937_64 random_{1};
};

Numbers centred_logarithms(const LaunchMedians& medians) {
  Numbers logarithms;
  for (const double m : medians) logarithms.push_back(std::log(m));
  const double middle = median(logarithms);
  for (double& value : logarithms) value -= middle;
  return logarithms;
}

/// What the launches of a turn differ by, around their middle.
Numbers pair_differences(const LaunchMedians& base, const LaunchMedians& next) {
  Numbers differences;
  for (std::size_t i = 0; i < base.size(); ++i) differences.push_back(std::log(next.at(i) / base[i]));
  const double middle = middle_difference(differences);
  for (double& d : differences) d -= middle;
  return differences;
}

/// What any two launches of one side differ by.
void add_differences_within(const LaunchMedians& side, Numbers& differences) {
  for (std::size_t i = 0; i < side.size(); ++i)
    for (std::size_t j = 0; j < side.size(); ++j)
      if (i != j) differences.push_back(std::log(side[i] / side[j]));
}

Numbers walsh_averages(const Numbers& differences) {
  Numbers averages;
  averages.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t j = i; j < differences.size(); ++j) averages.push_back((differences[i] + differences[j]) / 2);
  return averages;
}

Numbers all_differences(const Numbers& base, const Numbers& next) {
  Numbers differences;
  for (const double b : base)
    for (const double n : next) differences.push_back(n - b);
  return differences;
}

/// The least shift at which `critical` of the values are above zero, and their median is at the threshold.
double smallest_shift(Numbers values, std::size_t critical, double threshold) {
  if (critical > values.size()) return std::numeric_limits<double>::infinity();
  const double by_threshold = std::log1p(threshold) - median(values);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() - critical);
  std::nth_element(values.begin(), at, values.end());
  return std::max(by_threshold, -*at);
}

/// The slowdown at the share of the draws, each of which gives the values of one re-run.
template <class Rerun>
double slowdown_found(Rerun rerun, std::size_t critical, double threshold) {
  Numbers shifts;
  for (int i = 0; i < draws; ++i) shifts.push_back(smallest_shift(rerun(), critical, threshold));
  std::sort(shifts.begin(), shifts.end());
  return std::expm1(shifts[static_cast<std::size_t>(found_share * draws) - 1]);
}

}  // namespace

std::optional<double> detectable_slowdown(const ComparedLaunches& launches, const TimeRule& rule) {
  const auto enough = [&](const LaunchMedians& side) { return side.size() >= static_cast<std::size_t>(rule.launches); };
  Draw draw;
  if (launches.base_again.empty() && !launches.next_again.empty()) {
    if (!enough(launches.base) || !enough(launches.next_again)) return std::nullopt;
    const Numbers base = centred_logarithms(launches.base), next = centred_logarithms(launches.next_again);
    const auto again = static_cast<std::size_t>(rule.confirming_launches);
    return slowdown_found([&] { return all_differences(draw(base, base.size()), draw(next, again)); },
                          critical_u(base.size(), again, rule.confirming_significance), rule.threshold);
  }
  Numbers pool;
  if (enough(launches.base_again)) {
    pool = pair_differences(launches.base_again, launches.next_again);
  } else {
    if (!enough(launches.base) || !enough(launches.next)) return std::nullopt;
    add_differences_within(launches.base, pool);
    add_differences_within(launches.next, pool);
  }
  const auto turns = static_cast<std::size_t>(rule.most_confirming_launches);
  return slowdown_found([&] { return walsh_averages(draw(pool, turns)); },
                        critical_sum(turns, rule.confirming_significance), rule.threshold);
}

}  // namespace shardbench
