#include "rank/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// A factor of all numbers is looked for among those of at least this part of the largest, where roundings are small
/// against it, and is a factor when it is the same for all within `ratio_error`.
constexpr double small_part = 0.01, ratio_error = 1e-3;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

double distance(float got, float want) {
  if (std::isnan(got) && std::isnan(want)) return 0;
  const double d = std::abs(static_cast<double>(got) - want);
  return std::isnan(d) ? (got == want ? 0 : infinity) : d;
}

}  // namespace

ElementComparison::ElementComparison(const ParameterLayout& layout, Wanted wanted,
                                     std::vector<std::span<const float>> mistakes)
    : layout_(layout), wanted_(wanted), mistakes_(std::move(mistakes)) {
  difference_.bitwise = true;
  difference_.exact = wanted_.bounds.empty();
  for (const float w : wanted_.values)
    if (std::isfinite(w)) largest_ = std::max(largest_, std::abs(static_cast<double>(w)));
}

void ElementComparison::add(std::span<const float> got, std::int64_t offset) {
  const auto begin = static_cast<std::size_t>(offset);
  if (offset < 0 || begin > wanted_.values.size() || got.size() > wanted_.values.size() - begin)
    throw Error("a piece of " + std::to_string(got.size()) + " elements at " + std::to_string(offset) +
                " does not fit a model of " + std::to_string(wanted_.values.size()) + " elements");
  difference_.compared = true;
  if (got.empty()) return;
  if (std::memcmp(got.data(), wanted_.values.data() + begin, got.size_bytes()) == 0) {
    any_right_ = true;
    return;
  }
  for (std::size_t i = 0; i < got.size(); ++i) add_element(begin + i, got[i]);
}

void ElementComparison::add_element(std::size_t at, float got) {
  const float want = wanted_.values[at];
  const double d = distance(got, want);
  if (!same_bits(got, want) && !(std::isnan(got) && std::isnan(want))) difference_.bitwise = false;
  for (auto& mistake : mistakes_)
    if (!mistake.empty() && got != want && !same_bits(got, mistake[at])) mistake = {};
  if (std::abs(want) >= small_part * largest_ && largest_ > 0 && std::isfinite(want)) {
    const double ratio = static_cast<double>(got) / want;
    least_ratio_ = any_ratio_ ? std::min(least_ratio_, ratio) : ratio;
    greatest_ratio_ = any_ratio_ ? std::max(greatest_ratio_, ratio) : ratio;
    any_ratio_ = true;
  }
  if (!wanted_.bounds.empty() && d > 0) {
    const double bound = wanted_.bounds[at];
    difference_.max_tolerated_ratio = std::max(difference_.max_tolerated_ratio, bound > 0 ? d / bound : infinity);
  }
  if (d > difference_.max_abs || (worst_ < 0 && !same_bits(got, want))) {
    difference_.max_abs = d;
    worst_ = static_cast<std::int64_t>(at);
  }
}

Difference ElementComparison::result() const {
  Difference d = difference_;
  if (worst_ < 0) return d;
  d.where = element_text(layout_, worst_);
  if (d.equal()) return d;
  const auto known = std::find_if(mistakes_.begin(), mistakes_.end(), [](const auto& m) { return !m.empty(); });
  d.known_mistake = known == mistakes_.end() ? 0 : static_cast<int>(known - mistakes_.begin()) + 1;
  const double ratio = (least_ratio_ + greatest_ratio_) / 2;
  const bool constant = any_ratio_ && !any_right_ && greatest_ratio_ - least_ratio_ <= ratio_error * std::abs(ratio);
  if (constant && std::abs(ratio - 1) > ratio_error) d.multiple = ratio;
  return d;
}

DriftComparison::DriftComparison(const ParameterLayout& layout, std::span<const float> wanted,
                                 std::span<const float> apart)
    : layout_(layout), wanted_(wanted), apart_(apart) {
  difference_.exact = false;
  difference_.bitwise = true;
}

void DriftComparison::add(std::span<const float> got, std::int64_t offset) {
  const auto begin = static_cast<std::size_t>(offset);
  if (offset < 0 || begin > wanted_.size() || got.size() > wanted_.size() - begin)
    throw Error("a tensor of " + std::to_string(got.size()) + " elements at " + std::to_string(offset) +
                " does not fit a model of " + std::to_string(wanted_.size()) + " elements");
  difference_.compared = true;
  Group own;
  Group& group = got.size() < least_elements ? small_ : own;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float want = wanted_[begin + i];
    const double d = distance(got[i], want);
    if (!same_bits(got[i], want)) difference_.bitwise = false;
    if (d > largest) largest = d, worst = i;
    group.distances.push_back(d);
    group.apart += distance(apart_[begin + i], want);
    group.magnitudes += std::abs(want);
  }
  difference_.max_abs = std::max(difference_.max_abs, largest);
  if (&group == &own && !got.empty())
    judge(std::move(own), element_text(layout_, offset + static_cast<std::int64_t>(worst)));
}

void DriftComparison::judge(Group group, const std::string& where) {
  const std::size_t count = group.distances.size();
  if (count < least_elements) return;
  std::nth_element(group.distances.begin(), group.distances.end() - left_out, group.distances.end());
  const double sum = std::accumulate(group.distances.begin(), group.distances.end() - left_out, 0.0);
  const double allowed = most_apart * group.apart + 0x1p-22 * group.magnitudes;  // the rest: 4 roundings of each
  const double ratio = sum == 0 ? 0 : allowed > 0 ? sum / allowed : infinity;
  if (ratio < difference_.max_tolerated_ratio || std::isnan(ratio)) return;
  difference_.max_tolerated_ratio = ratio;
  difference_.where = where;
}

Difference DriftComparison::result() const {
  DriftComparison all = *this;
  all.judge(small_, "the tensors of less than " + std::to_string(least_elements) + " elements");
  return all.difference_;
}

std::string element_text(const ParameterLayout& layout, std::int64_t element) {
  const auto after = std::upper_bound(layout.offsets.begin(), layout.offsets.end(), element);
  const auto tensor = static_cast<std::size_t>(after - layout.offsets.begin()) - 1;
  return layout.names.at(tensor) + "[" + std::to_string(element - layout.offsets[tensor]) + "]";
}

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";  // whatever its sign
  std::ostringstream text;
  text << std::setprecision(9) << number;
  return text.str();
}

std::int64_t first_not_finite(std::span<const float> values) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  return bad == values.end() ? -1 : bad - values.begin();
}

}  // namespace shardbench
