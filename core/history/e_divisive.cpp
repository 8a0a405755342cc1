#include "history/e_divisive.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace shardbench {
namespace {

/// Counts and sums of values by their rank, with the totals below a rank in O(log n) (Fenwick's tree).
class RankTree {
 public:
  explicit RankTree(std::size_t size) : nodes_(size + 1) {}

  void add(std::size_t rank, double value) {
    for (std::size_t i = rank + 1; i < nodes_.size(); i += i & (~i + 1)) {
      nodes_[i].count += 1;
      nodes_[i].sum += value;
    }
    count_ += 1;
    sum_ += value;
  }
  /// Sum of |value - x| over all x that were added; `rank` is that of `value`.
  double distance(std::size_t rank, double value) const {
    double count = 0, sum = 0;
    for (std::size_t i = rank + 1; i > 0; i -= i & (~i + 1)) {
      count += nodes_[i].count;
      sum += nodes_[i].sum;
    }
    return value * count - sum + (sum_ - sum) - value * (count_ - count);
  }

 private:
  struct Node {
    double count = 0, sum = 0;
  };
  std::vector<Node> nodes_;
  double count_ = 0, sum_ = 0;
};

std::vector<std::size_t> ranks_of(const std::vector<double>& series) {
  std::vector<std::size_t> order(series.size()), ranks(series.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return series[a] < series[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

/// within[k]: sum of |x - y| over all pairs of the first k values, or of the last k where they come reversed.
std::vector<double> within_sums(const std::vector<double>& series, const std::vector<std::size_t>& ranks,
                                bool reversed) {
  RankTree tree(series.size());
  std::vector<double> within(series.size() + 1, 0.0);
  for (std::size_t k = 0; k < series.size(); ++k) {
    const std::size_t i = reversed ? series.size() - 1 - k : k;
    within[k + 1] = within[k] + tree.distance(ranks[i], series[i]);
    tree.add(ranks[i], series[i]);
  }
  return within;
}

/// m n / (m + n) times the energy distance, of the sums of distances within the parts and between them.
double statistic(double m, double n, double within_left, double within_right, double between) {
  const double distance = 2 * between / (m * n) - within_left / (m * (m - 1) / 2) - within_right / (n * (n - 1) / 2);
  return m * n / (m + n) * distance;
}

/// `ranks` are those of the series.
std::vector<double> statistics_of(const std::vector<double>& series, const std::vector<std::size_t>& ranks,
                                  std::size_t smallest) {
  const std::size_t size = series.size();
  std::vector<double> statistics(size + 1, 0.0);
  const auto left = within_sums(series, ranks, false), right = within_sums(series, ranks, true);
  for (std::size_t index = smallest; index + smallest <= size; ++index)
    statistics[index] = statistic(static_cast<double>(index), static_cast<double>(size - index), left[index],
                                  right[size - index], left[size] - left[index] - right[size - index]);
  return statistics;
}

std::pair<double, std::size_t> best_split(const std::vector<double>& series, const std::vector<std::size_t>& ranks,
                                          std::size_t smallest) {
  const auto statistics = statistics_of(series, ranks, smallest);
  const auto best = std::max_element(statistics.begin(), statistics.end());
  return {*best, static_cast<std::size_t>(best - statistics.begin())};
}

/// Fisher and Yates, spelled out because std::shuffle may differ between libraries.
void shuffle(std::vector<double>& values, std::vector<std::size_t>& ranks, std::mt19937_64& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    const std::size_t other = random() % i;
    std::swap(values[i - 1], values[other]);
    std::swap(ranks[i - 1], ranks[other]);
  }
}

void search(const std::vector<double>& series, std::size_t begin, std::size_t end, const EDivisiveOptions& options,
            std::mt19937_64& random, std::vector<ChangePoint>& found) {
  const std::size_t smallest = std::max<std::size_t>(options.smallest, 2);
  if (end - begin < 2 * smallest) return;
  std::vector<double> part(series.begin() + static_cast<std::ptrdiff_t>(begin),
                           series.begin() + static_cast<std::ptrdiff_t>(end));
  std::vector<std::size_t> ranks = ranks_of(part);
  const auto [most, split] = best_split(part, ranks, smallest);
  if (most <= 0) return;
  int as_large = 0;
  const auto p = [&] { return (as_large + 1.0) / (options.permutations + 1.0); };
  for (int i = 0; i < options.permutations && p() <= options.significance; ++i) {
    shuffle(part, ranks, random);
    as_large += best_split(part, ranks, smallest).first >= most;
  }
  if (p() > options.significance) return;
  search(series, begin, begin + split, options, random, found);
  found.push_back({begin + split, p()});
  search(series, begin + split, end, options, random, found);
}

}  // namespace

double energy_statistic(const std::vector<double>& series, std::size_t index) {
  double left = 0, right = 0, between = 0;
  for (std::size_t i = 0; i < series.size(); ++i)
    for (std::size_t j = i + 1; j < series.size(); ++j)
      (j < index ? left : i >= index ? right : between) += std::abs(series[i] - series[j]);
  return statistic(static_cast<double>(index), static_cast<double>(series.size() - index), left, right, between);
}

std::vector<double> energy_statistics(const std::vector<double>& series, std::size_t smallest) {
  return statistics_of(series, ranks_of(series), smallest);
}

std::vector<ChangePoint> e_divisive(const std::vector<double>& series, const EDivisiveOptions& options) {
  std::vector<ChangePoint> found;
  std::mt19937_64 random(options.seed);
  search(series, 0, series.size(), options, random, found);
  return found;
}

}  // namespace shardbench
