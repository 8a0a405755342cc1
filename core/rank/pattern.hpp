#pragma once
#include <cstdint>
#include <string>

#include <ATen/core/TensorBody.h>

#include "shardbench/comm.hpp"

namespace shardbench {

/// The values of a checked collective: integers, other ones on every rank and in every call, of which any partial sum
/// over the ranks is exact in the dtype. So a sum has one right answer in whatever order it was added, to the bit.
///
/// Element i of a rank's array is pseudo-random and repeats after `period` elements, a prime, so that no part, block or
/// chunk of an array looks like its neighbour; whole arrays are then filled and compared at the speed of memory.
class Pattern {
 public:
  static constexpr std::int64_t period = 8191;

  Pattern(DType dtype, int world, std::uint64_t seed, int call);

  /// Element i (below `period`) on a rank.
  std::int64_t value(int rank, std::int64_t i) const;

  /// One period of a rank's array.
  at::Tensor of_rank(int rank) const;
  /// One period of the reduction over all ranks.
  at::Tensor reduced(ReduceOp op) const;

 private:
  template <class Value>
  at::Tensor make(Value value) const;

  DType dtype_;
  int world_;
  std::uint64_t seed_;
  std::int64_t least_, values_;  ///< values are least_ ... least_ + values_ - 1
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

at::ScalarType scalar_type(DType dtype);

}  // namespace shardbench
