#include "compare/mann_whitney.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "compare/midranks.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_exact = 30;

/// ways[s]: how many choices of `size` of the ranks have the sum s.
std::vector<double> ways_of_sums(const std::vector<std::size_t>& ranks, std::size_t size) {
  std::size_t total = 0;
  for (const std::size_t r : ranks) total += r;
  std::vector<std::vector<double>> ways(size + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1;
  for (const std::size_t r : ranks)
    for (std::size_t k = size; k-- > 0;)
      for (std::size_t s = 0; s + r <= total; ++s) ways[k + 1][s + r] += ways[k][s];
  return ways[size];
}

}  // namespace

RankTest mann_whitney(const std::vector<double>& first, const std::vector<double>& second) {
  RankTest test;
  if (first.empty() || second.empty()) return test;
  std::vector<double> pooled = first;
  pooled.insert(pooled.end(), second.begin(), second.end());
  const Midranks ranks = midranks_of(pooled);
  std::size_t sum = 0;
  for (std::size_t i = first.size(); i < pooled.size(); ++i) sum += ranks.doubled[i];
  const auto n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  test.u = static_cast<double>(sum) / 2 - m * (m + 1) / 2;

  if (pooled.size() <= most_exact) {
    const std::vector<double> ways = ways_of_sums(ranks.doubled, second.size());
    double all = 0, at_least = 0, at_most = 0;
    for (std::size_t s = 0; s < ways.size(); ++s) {
      all += ways[s];
      if (s >= sum) at_least += ways[s];
      if (s <= sum) at_most += ways[s];
    }
    test.second_larger = at_least / all;
    test.second_smaller = at_most / all;
    return test;
  }
  const double count = n + m;
  const double variance = n * m / 12 * (count + 1 - ranks.ties / (count * (count - 1)));
  if (variance <= 0) return test;  // all values are equal
  const double off = test.u - n * m / 2, deviation = std::sqrt(variance);
  test.second_larger = normal_above((off - 0.5) / deviation);
  test.second_smaller = normal_above((-off - 0.5) / deviation);
  return test;
}

std::size_t critical_u(std::size_t first, std::size_t second, double significance) {
  const std::size_t pairs = first * second;
  const auto n = static_cast<double>(first), m = static_cast<double>(second);
  std::size_t u = pairs + 1;
  if (first + second <= most_exact) {
    std::vector<std::size_t> ranks(first + second);
    std::iota(ranks.begin(), ranks.end(), 1);
    const std::vector<double> ways = ways_of_sums(ranks, second);
    const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
    const std::size_t least = second * (second + 1) / 2;  // the sum of the lowest ranks: u is 0
    for (double at_least = 0; u > 0 && (at_least += ways[least + u - 1]) <= significance * all;) --u;
    return u;
  }
  const double deviation = std::sqrt(n * m * (n + m + 1) / 12);
  while (u > 0 && normal_above((static_cast<double>(u - 1) - n * m / 2 - 0.5) / deviation) <= significance) --u;
  return u;
}

}  // namespace shardbench
