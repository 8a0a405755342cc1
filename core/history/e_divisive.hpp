#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shardbench {

/// Where a series changes its distribution.
struct ChangePoint {
  std::size_t index = 0;  ///< of the first value after the change
  double p = 1;           ///< of the permutation test
};

struct EDivisiveOptions {
  std::size_t smallest = 5;  ///< values on each side of a change, at least 2
  int permutations = 199;    ///< of the test; p is at least 1 / (permutations + 1)
  double significance = 0.01;
  std::uint64_t seed = 20140101;  ///< the same series gives the same answer
};

/// Change points of a series in ascending order, by E-divisive means: Matteson and James, "A nonparametric approach for
/// multiple change point analysis of multivariate data", Journal of the American Statistical Association 109 (2014),
/// with exponent 1.
///
/// The split of a segment that has the largest energy statistic, m n / (m + n) times the energy distance of its two
/// parts (section 2.1), counts where a test that permutes the segment's values (section 2.3) rejects that there is no
/// change; then both parts are searched. The right part is always the rest of the segment, as in Daly et al., "The use
/// of change point detection to identify software performance regressions in a continuous integration system", ICPE
/// 2020. One statistic costs O(n log n), and a permutation test stops as soon as it cannot reject any more.
std::vector<ChangePoint> e_divisive(const std::vector<double>& series, const EDivisiveOptions& options = {});

/// The statistic of splitting before `index`, by its definition, in O(n^2): the yardstick of the fast one.
double energy_statistic(const std::vector<double>& series, std::size_t index);

/// The statistics of all splits in O(n log n), by index; 0 where a part would have fewer than `smallest`.
std::vector<double> energy_statistics(const std::vector<double>& series, std::size_t smallest);

}  // namespace shardbench
