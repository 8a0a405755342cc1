#include "history/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "history/e_divisive.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

void add_counted(const Series& s, std::vector<LastingChange>& found) {
  for (std::size_t i = 1; i < s.values.size(); ++i)
    if (s.values[i] != s.values[i - 1])
      found.push_back({s.case_id, s.metric, false, s.runs[i - 1], s.runs[i], s.values[i - 1], s.values[i], 0});
}

double median_of(const Series& s, std::size_t begin, std::size_t end) {
  return median(
      {s.values.begin() + static_cast<std::ptrdiff_t>(begin), s.values.begin() + static_cast<std::ptrdiff_t>(end)});
}

void add_timed(const Series& s, double smallest_change, std::vector<LastingChange>& found) {
  const auto points = e_divisive(s.values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t at = points[i].index, begin = i == 0 ? 0 : points[i - 1].index,
                      end = i + 1 == points.size() ? s.values.size() : points[i + 1].index;
    const double before = median_of(s, begin, at), after = median_of(s, at, end);
    if (std::abs(std::log(after / before)) < std::log1p(smallest_change)) continue;
    found.push_back({s.case_id, s.metric, true, s.runs[at - 1], s.runs[at], before, after, points[i].p});
  }
}

}  // namespace

std::vector<LastingChange> lasting_changes(const std::vector<Series>& series, double smallest_change) {
  std::vector<LastingChange> found;
  for (const Series& s : series)
    if (s.timed)
      add_timed(s, smallest_change, found);
    else
      add_counted(s, found);
  return found;
}

}  // namespace shardbench
