#include "rank/pattern.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>

#include "rank/guarded_array.hpp"

namespace shardbench {
namespace {

/// The sum of all ranks' arrays, added in the dtype itself, rank after rank from `first` on.
at::Tensor summed(const Pattern& values, int world, int first) {
  at::Tensor sum = values.of_rank(first % world);
  for (int i = 1; i < world; ++i) sum = sum.add(values.of_rank((first + i) % world));
  return sum;
}

TEST(Pattern, SumsAreExactInEveryDTypeInAnyOrder) {
  for (const DType dtype : all_dtypes)
    for (const int world : {1, 2, 3, 4, 7, 64}) {
      const Pattern values(dtype, world, 0, 1);
      const at::Tensor wanted = values.reduced(ReduceOp::sum);
      EXPECT_EQ(wanted.scalar_type(), scalar_type(dtype));
      for (const int first : {0, 1, world - 1})
        EXPECT_TRUE(at::equal(summed(values, world, first), wanted)) << name_of(dtype) << " of " << world;
    }
}

constexpr DType floats[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16};

RoundedSums sums_of(const Pattern& values, int world) {
  return {values.exact_sums(), values.magnitudes(), world, values.fraction_bits()};
}

TEST(Pattern, RoundingSumsDependOnTheOrderAndStayWithinTheBound) {
  for (const DType dtype : floats)
    for (const int world : {3, 4, 7, 64}) {
      const Pattern values(dtype, world, 0, 1, Values::rounding);
      const at::Tensor up = summed(values, world, 0), other = summed(values, world, 1);
      EXPECT_GT(up.ne(other).sum().item<std::int64_t>(), Pattern::period / 20) << name_of(dtype) << " of " << world;
      for (const at::Tensor& sum : {up, other})
        EXPECT_EQ(compare(sum, sums_of(values, world), 0).elements, 0u) << name_of(dtype) << " of " << world;
    }
}

TEST(Pattern, ASumBeyondTheBoundIsWrong) {
  for (const DType dtype : floats) {
    const Pattern values(dtype, 3, 0, 1, Values::rounding);
    const at::Tensor sum = summed(values, 3, 0);
    const auto magnitude = std::ldexp(values.magnitudes()[70].item<double>(), -values.fraction_bits());
    sum[70].add_(std::ldexp(magnitude, 2 - values.fraction_bits()));  // 4 u sum|x|, where 2 are allowed
    sum[71] = std::numeric_limits<double>::quiet_NaN();
    const Mismatch mismatch = compare(sum, sums_of(values, 3), 0);
    EXPECT_EQ(mismatch.elements, 2u) << name_of(dtype);
    EXPECT_EQ(mismatch.first, 70);
    EXPECT_NE(mismatch.wanted.find(" up to "), std::string::npos) << mismatch.wanted;
  }
}

/// Adding in a smaller dtype is such a mistake.
TEST(Pattern, ASumInASmallerDTypeIsWrong) {
  const Pattern values(DType::float64, 4, 0, 1, Values::rounding);
  const at::Tensor sum = summed(values, 4, 0).to(at::kFloat).to(at::kDouble);
  EXPECT_GT(compare(sum, sums_of(values, 4), 0).elements, 8000u);
}

TEST(Pattern, IsAnotherOneOnEveryRankInEveryCallAndForEverySeed) {
  for (const DType dtype : all_dtypes) {
    const Pattern values(dtype, 4, 7, 1);
    EXPECT_FALSE(at::equal(values.of_rank(0), values.of_rank(1)));
    EXPECT_FALSE(at::equal(values.of_rank(0), Pattern(dtype, 4, 7, 2).of_rank(0)));
    EXPECT_FALSE(at::equal(values.of_rank(0), Pattern(dtype, 4, 8, 1).of_rank(0)));
    EXPECT_FALSE(at::equal(values.reduced(ReduceOp::max), values.reduced(ReduceOp::min)));
  }
}

TEST(Pattern, UsesAllBytesOfAnElement) {
  const Pattern values(DType::int64, 2, 0, 1);
  std::int64_t largest = 0, least = 0;
  for (std::int64_t i = 0; i < Pattern::period; ++i) {
    largest = std::max(largest, values.value(0, i));
    least = std::min(least, values.value(0, i));
  }
  EXPECT_GT(largest, std::int64_t{1} << 60);
  EXPECT_LT(least, -(std::int64_t{1} << 60));
}

TEST(Pattern, IsComparedElementByElementFromAnyPlace) {
  const Pattern values(DType::float16, 3, 0, 1);
  const at::Tensor period = values.of_rank(2), data = at::empty({20000}, at::kHalf);
  fill(data, period, 8000);
  EXPECT_EQ(data[0].item<double>(), static_cast<double>(values.value(2, 8000)));
  EXPECT_EQ(data[200].item<double>(), static_cast<double>(values.value(2, 8200 - Pattern::period)));
  EXPECT_EQ(compare(data, period, 8000).elements, 0u);
  EXPECT_GT(compare(data, period, 8001).elements, 19000u);
  data[300] = 1000;
  data[19999] = 1000;
  const Mismatch mismatch = compare(data, period, 8000);
  EXPECT_EQ(mismatch.elements, 2u);
  EXPECT_EQ(mismatch.first, 300);
  EXPECT_EQ(mismatch.got, "1000");
  EXPECT_EQ(mismatch.wanted, std::to_string(values.value(2, 8300 - Pattern::period)));
  EXPECT_EQ(compare(data.narrow(0, 5, 0), period, 0).elements, 0u);
}

TEST(GuardedArray, SeesBytesBeforeAndAfter) {
  GuardedArray array("output", 3, DType::int32);
  EXPECT_EQ(array.data().numel(), 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data().data_ptr()) % 64, 0u);
  BufferCheck check;
  std::memset(array.data().mutable_data_ptr(), 0, 12);
  array.check_bands(1, check);
  EXPECT_EQ(check.guard_bytes_written, 0u);
  auto* const bytes = static_cast<unsigned char*>(array.data().data_ptr());
  bytes[12] = bytes[13] = 0;
  array.check_bands(1, check);
  EXPECT_EQ(check.guard_bytes_written, 2u);
  EXPECT_EQ(check.first_guard, "2 bytes after output in call 1");
  bytes[-GuardedArray::band] = 0;
  check = {};
  array.check_bands(2, check);
  EXPECT_EQ(check.guard_bytes_written, 3u);
  EXPECT_EQ(check.first_guard, "1 bytes before output in call 2");
  array.restore_bands();
  check = {};
  array.check_bands(3, check);
  EXPECT_EQ(check.guard_bytes_written, 0u);
}

TEST(GuardedArray, MayBeEmpty) {
  GuardedArray array("output", 0, DType::float64);
  EXPECT_EQ(array.data().numel(), 0);
  BufferCheck check;
  array.check_bands(1, check);
  EXPECT_EQ(check.guard_bytes_written, 0u);
}

}  // namespace
}  // namespace shardbench
