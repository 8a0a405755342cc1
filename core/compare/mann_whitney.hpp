#pragma once
#include <cstddef>
#include <vector>

namespace shardbench {

/// How likely it is that two samples of the same distribution fall as far apart as these.
struct RankTest {
  double u = 0;               ///< pairs in which the second value is the larger, ties counted as one half
  double second_larger = 1;   ///< one-sided p: the second sample is at least this much larger
  double second_smaller = 1;  ///< one-sided p: ... smaller
};

/// The rank test of Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other", Annals of Mathematical Statistics 18 (1947).
///
/// Exact up to 30 values together, ties included: the distribution of the rank sum over all ways to choose the second
/// sample from the pooled midranks (the shift algorithm of Streitberg and Roehmel, Statistical Software Newsletter 12
/// (1986)); above, the normal approximation with the corrections for ties and for continuity. Where a sample is empty,
/// every p is 1.
RankTest mann_whitney(const std::vector<double>& first, const std::vector<double>& second);

/// The least u that is significant (`second_larger` at most `significance`) in samples of these sizes without ties; one
/// more than all pairs where none is.
std::size_t critical_u(std::size_t first, std::size_t second, double significance);

}  // namespace shardbench
