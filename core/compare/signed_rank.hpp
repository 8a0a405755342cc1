#pragma once
#include <vector>

namespace shardbench {

/// How likely it is that differences that are as often above zero as below it lie as far to one side as these.
struct SignedRankTest {
  double above = 1;  ///< one-sided p: the differences are at least this much above zero
  double below = 1;  ///< one-sided p: ... below
};

/// The signed-rank test of Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945), for
/// pairs: it asks for the sign and the rank of each difference, so that what both of a pair share drops out.
///
/// Zeros are left out, as Wilcoxon does. Exact up to 100 differences, ties included: the distribution of the sum over
/// all signs of the midranks; above, the normal approximation with the corrections for ties and for continuity. Of no
/// differences every p is 1.
SignedRankTest signed_rank(const std::vector<double>& differences);

/// The least sum of the ranks of positive differences that is significant (`above` at most `significance`), of `count`
/// differences of as many sizes; one more than all ranks together where none is.
std::size_t critical_sum(std::size_t count, double significance);

/// The estimate that belongs to it: the median over the means of every two differences, and of each with itself (Hodges
/// and Lehmann, Annals of Mathematical Statistics 34 (1963)). Not of nothing.
double middle_difference(const std::vector<double>& differences);

}  // namespace shardbench
