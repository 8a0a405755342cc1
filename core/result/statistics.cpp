#include "result/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace shardbench {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) throw std::invalid_argument("quantile of no values");
  if (!(share >= 0 && share <= 1)) throw std::invalid_argument("quantile: share is outside 0 to 1");
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  const double fraction = position - static_cast<double>(below);
  if (fraction == 0) return *at;
  const double next = *std::min_element(at + 1, values.end());
  return *at + fraction * (next - *at);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace shardbench
