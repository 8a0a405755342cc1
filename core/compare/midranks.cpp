#include "compare/midranks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shardbench {

Midranks midranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Midranks ranks{std::vector<std::size_t>(values.size()), 0};
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) ranks.doubled[order[i]] = begin + 1 + end;
    const auto equal = static_cast<double>(end - begin);
    ranks.ties += equal * equal * equal - equal;
    begin = end;
  }
  return ranks;
}

double normal_above(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

}  // namespace shardbench
