#pragma once
#include <cstdint>
#include <string>

#include <ATen/core/TensorBody.h>

#include "shardbench/comm.hpp"
#include "suite/collective.hpp"

namespace shardbench {

/// The values of a collective's arrays, other ones on every rank and in every set of them.
///
/// Exact: integers of which any partial sum over the ranks is exact in the dtype. So a sum has one right answer in
/// whatever order it was added, to the bit.
/// Rounding: multiples of 2^-p, p the significant bits of the dtype, with all of these in use and exponents that differ
/// by up to 4, so that the sum of two is rounded as a rule, and the sum of many depends on the order.
///
/// Element i of a rank's array is pseudo-random and repeats after `period` elements, a prime, so that no part, block or
/// chunk of an array looks like its neighbour; whole arrays are then filled and compared at the speed of memory.
class Pattern {
 public:
  static constexpr std::int64_t period = 8191;

  /// `set`: which of the sets of values.
  Pattern(DType dtype, int world, std::uint64_t seed, int set, Values values = Values::exact);

  /// Element i (below `period`) on a rank, in units of 2^-`fraction_bits`.
  std::int64_t value(int rank, std::int64_t i) const;
  int fraction_bits() const noexcept { return fraction_bits_; }

  /// One period of a rank's array.
  at::Tensor of_rank(int rank) const;
  /// One period of the reduction over all ranks (exact values).
  at::Tensor reduced(ReduceOp op) const;
  /// One period of the sums over all ranks and of the sums of magnitudes, int64 in units of 2^-`fraction_bits`.
  at::Tensor exact_sums() const;
  at::Tensor magnitudes() const;

 private:
  template <class Value>
  static at::Tensor integers(Value value);
  /// The integers as elements of the dtype.
  at::Tensor elements(const at::Tensor& integers) const;

  DType dtype_;
  int world_;
  std::uint64_t seed_;
  int fraction_bits_ = 0;        ///< 0: exact values
  std::int64_t least_, values_;  ///< exact values are least_ ... least_ + values_ - 1
};

/// `data[j]` becomes element `first + j` of the array that repeats `one_period`.
void fill(const at::Tensor& data, const at::Tensor& one_period, std::int64_t first);

/// Where `data` differs, bit by bit, from what `fill` would put there.
struct Mismatch {
  std::uint64_t elements = 0;
  std::int64_t first = 0;   ///< index in `data`; this and the following where there is one
  std::string got, wanted;  ///< at it
};
Mismatch compare(const at::Tensor& data, const at::Tensor& one_period, std::int64_t first);

/// The sums that rounding may miss: one period of the exact ones and of the sums of magnitudes.
struct RoundedSums {
  at::Tensor exact, magnitudes;
  int terms = 0;
  int fraction_bits = 0;
};

/// Where floating-point `data` is not within (terms - 1) u sum|x| of the exact sums, u = 2^-p being the dtype's unit
/// roundoff: the bound for any order of additions that each round to nearest (Jeannerod and Rump, "Improved error
/// bounds for inner products in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013). NaN is not.
Mismatch compare(const at::Tensor& data, const RoundedSums& sums, std::int64_t first);

at::ScalarType scalar_type(DType dtype);

}  // namespace shardbench
