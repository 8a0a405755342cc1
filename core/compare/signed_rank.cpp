#include "compare/signed_rank.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "compare/midranks.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_exact_differences = 100;

/// chances[s]: how likely it is that those of the ranks whose sign is drawn positive have the sum s.
std::vector<double> chances_of_sums(const std::vector<std::size_t>& ranks) {
  std::vector<double> chances = {1};
  for (const std::size_t r : ranks) {
    std::vector<double> next(chances.size() + r, 0.0);
    for (std::size_t s = 0; s < chances.size(); ++s) {
      next[s] += chances[s] / 2;
      next[s + r] += chances[s] / 2;
    }
    chances = std::move(next);
  }
  return chances;
}

}  // namespace

SignedRankTest signed_rank(const std::vector<double>& differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double d : differences) {
    if (d == 0) continue;
    sizes.push_back(std::abs(d));
    positive.push_back(d > 0);
  }
  SignedRankTest test;
  if (sizes.empty()) return test;
  const Midranks ranks = midranks_of(sizes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (positive[i]) sum += ranks.doubled[i];
  if (sizes.size() <= most_exact_differences) {
    const std::vector<double> chances = chances_of_sums(ranks.doubled);
    test = {0, 0};
    for (std::size_t s = 0; s < chances.size(); ++s) {
      if (s >= sum) test.above += chances[s];
      if (s <= sum) test.below += chances[s];
    }
    return test;
  }
  const auto n = static_cast<double>(sizes.size());
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48);
  const double off = static_cast<double>(sum) / 2 - n * (n + 1) / 4;
  return {normal_above((off - 0.5) / deviation), normal_above((-off - 0.5) / deviation)};
}

std::size_t critical_sum(std::size_t count, double significance) {
  std::vector<std::size_t> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 1);
  const std::size_t all = count * (count + 1) / 2;
  if (count <= most_exact_differences) {
    const std::vector<double> chances = chances_of_sums(ranks);
    double above = 0;
    for (std::size_t sum = all + 1; sum-- > 0;)
      if ((above += chances[sum]) > significance) return sum + 1;
    return 0;
  }
  const auto n = static_cast<double>(count);
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  std::size_t sum = all + 1;
  while (sum > 0 && normal_above((static_cast<double>(sum - 1) - n * (n + 1) / 4 - 0.5) / deviation) <= significance)
    --sum;
  return sum;
}

double middle_difference(const std::vector<double>& differences) {
  std::vector<double> means;
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t j = i; j < differences.size(); ++j) means.push_back((differences[i] + differences[j]) / 2);
  return median(std::move(means));
}

}  // namespace shardbench
