#include "suite/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace shardbench {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    // A swap reaches back two rows, so both must be above the limit before it can no longer be met.
    const auto least = [](const std::vector<std::size_t>& row) { return *std::min_element(row.begin(), row.end()); };
    if (least(now) > limit && least(last) > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, now);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = 0;
  for (const auto& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer < 2) continue;  // one letter for another is no typo
    std::size_t limit = std::max<std::size_t>(1, longer / 3);
    if (!best.empty()) {
      if (best_distance == 0) break;
      limit = std::min(limit, best_distance - 1);
    }
    const std::size_t distance = edit_distance(name, candidate, limit);
    if (distance > limit) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace shardbench
