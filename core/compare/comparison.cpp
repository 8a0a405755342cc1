#include "compare/comparison.hpp"

#include <algorithm>

#include "compare/detectable.hpp"

namespace shardbench {

bool too_noisy(const MetricVerdict& verdict) { return verdict.detectable.value_or(0) > expected_slowdown; }

template <class Predicate>
std::size_t Comparison::count_if(Predicate predicate) const {
  std::size_t found = 0;
  for (const CaseVerdict& c : cases)
    found += static_cast<std::size_t>(std::count_if(c.metrics.begin(), c.metrics.end(), predicate));
  return found;
}

std::size_t Comparison::count(Change change) const {
  return count_if([&](const MetricVerdict& m) { return m.change == change; });
}

std::size_t Comparison::regressions() const {
  return count_if([](const MetricVerdict& m) { return m.regression; });
}

std::size_t Comparison::noisy() const { return count_if(too_noisy); }

bool Comparison::compared() const {
  return std::any_of(cases.begin(), cases.end(), [](const CaseVerdict& c) {
    return std::any_of(c.metrics.begin(), c.metrics.end(),
                       [](const MetricVerdict& m) { return m.change != Change::not_comparable; });
  });
}

}  // namespace shardbench
