#include "compare/comparison.hpp"

#include <algorithm>

namespace shardbench {

std::size_t Comparison::count(Change change) const {
  std::size_t found = 0;
  for (const CaseVerdict& c : cases)
    found += static_cast<std::size_t>(
        std::count_if(c.metrics.begin(), c.metrics.end(), [&](const MetricVerdict& m) { return m.change == change; }));
  return found;
}

std::size_t Comparison::regressions() const {
  std::size_t found = 0;
  for (const CaseVerdict& c : cases)
    found += static_cast<std::size_t>(
        std::count_if(c.metrics.begin(), c.metrics.end(), [](const MetricVerdict& m) { return m.regression; }));
  return found;
}

bool Comparison::compared() const {
  return std::any_of(cases.begin(), cases.end(), [](const CaseVerdict& c) {
    return std::any_of(c.metrics.begin(), c.metrics.end(),
                       [](const MetricVerdict& m) { return m.change != Change::not_comparable; });
  });
}

std::string name_of(Change change, bool timed) {
  switch (change) {
    case Change::same: return "same";
    case Change::smaller: return timed ? "faster" : "smaller";
    case Change::larger: return timed ? "slower" : "larger";
    case Change::ambiguous: return "ambiguous";
    case Change::not_comparable: return "not comparable";
  }
  return "?";
}

}  // namespace shardbench
