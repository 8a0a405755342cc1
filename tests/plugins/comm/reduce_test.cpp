#include "comm/reduce.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace shardbench {
namespace {

using half::from_bfloat16, half::from_float16, half::to_bfloat16, half::to_float16;

TEST(Half, EveryFloat16IsTheCompilersFloat16) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto wanted = static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)));
    const float found = from_float16(static_cast<std::uint16_t>(bits));
    if (std::isnan(wanted))
      EXPECT_TRUE(std::isnan(found)) << bits;
    else
      EXPECT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(wanted)) << bits;
  }
}

TEST(Half, FloatsRoundToFloat16AsTheCompilersDo) {
  const auto check = [](std::uint32_t bits) {
    const auto value = std::bit_cast<float>(bits);
    const auto wanted = std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(from_float16(to_float16(value)))) << bits;
    else
      EXPECT_EQ(to_float16(value), wanted) << bits;
  };
  for (std::uint64_t bits = 0; bits <= 0xffffffffU; bits += 4093) check(static_cast<std::uint32_t>(bits));
  for (std::uint32_t half_bits = 0; half_bits < 0x7c00; ++half_bits) {  // each midpoint and its neighbours
    const float low = from_float16(static_cast<std::uint16_t>(half_bits));
    const float high = half_bits == 0x7bff ? 65536.0F : from_float16(static_cast<std::uint16_t>(half_bits + 1));
    const auto middle = std::bit_cast<std::uint32_t>((low + high) / 2);
    for (const auto bits : {middle - 1, middle, middle + 1, middle | 0x80000000U}) check(bits);
  }
}

TEST(Half, Bfloat16RoundsToNearestEven) {
  EXPECT_EQ(to_bfloat16(1.0F), 0x3f80);
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3f808000U)), 0x3f80);  // a tie goes to the even one, below
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3f818000U)), 0x3f82);  // and above
  EXPECT_EQ(to_bfloat16(std::bit_cast<float>(0x3f808001U)), 0x3f81);
  EXPECT_EQ(to_bfloat16(-2.5F), 0xc020);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::infinity()), 0x7f80);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(from_bfloat16(to_bfloat16(std::bit_cast<float>(0x7f800001U)))));
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float value = from_bfloat16(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(to_bfloat16(value), bits);
  }
}

template <typename T>
std::vector<T> reduced(std::vector<T> a, const std::vector<T>& b, DType dtype, ReduceOp op) {
  reduce(a.data(), a.data(), b.data(), a.size(), dtype, op);
  return a;
}

TEST(Reduce, OfFloats) {
  const std::vector<float> a{1, -2, 3}, b{10, -20, 0.5F};
  EXPECT_EQ(reduced(a, b, DType::float32, ReduceOp::sum), (std::vector<float>{11, -22, 3.5F}));
  EXPECT_EQ(reduced(a, b, DType::float32, ReduceOp::max), (std::vector<float>{10, -2, 3}));
  EXPECT_EQ(reduced(a, b, DType::float32, ReduceOp::min), (std::vector<float>{1, -20, 0.5F}));
}

TEST(Reduce, IntegerSumsWrapAround) {
  EXPECT_EQ(reduced<std::int32_t>({INT32_MAX}, {1}, DType::int32, ReduceOp::sum), std::vector<std::int32_t>{INT32_MIN});
  EXPECT_EQ(reduced<std::int64_t>({INT64_MIN}, {-1}, DType::int64, ReduceOp::sum),
            std::vector<std::int64_t>{INT64_MAX});
  EXPECT_EQ(reduced<std::uint8_t>({200}, {100}, DType::uint8, ReduceOp::sum), std::vector<std::uint8_t>{44});
  EXPECT_EQ(reduced<std::uint8_t>({200}, {100}, DType::uint8, ReduceOp::max), std::vector<std::uint8_t>{200});
}

TEST(Reduce, HalfSumsAreRoundedOnce) {
  // 256 + 1 in bfloat16 (8 bits): a tie, to even. 2048 + 3 in float16 (11 bits): 2051 is a tie between 2050 and 2052.
  EXPECT_EQ(reduced<std::uint16_t>({to_bfloat16(256)}, {to_bfloat16(1)}, DType::bfloat16, ReduceOp::sum),
            std::vector<std::uint16_t>{to_bfloat16(256)});
  EXPECT_EQ(reduced<std::uint16_t>({to_float16(2048)}, {to_float16(3)}, DType::float16, ReduceOp::sum),
            std::vector<std::uint16_t>{to_float16(2052)});
  EXPECT_EQ(reduced<std::uint16_t>({to_float16(-1)}, {to_float16(3)}, DType::float16, ReduceOp::min),
            std::vector<std::uint16_t>{to_float16(-1)});
}

TEST(Reduce, OutputMayBeTheRightOperand) {
  std::vector<double> a{1, 2}, b{3, 4};
  reduce(b.data(), a.data(), b.data(), 2, DType::float64, ReduceOp::sum);
  EXPECT_EQ(b, (std::vector<double>{4, 6}));
}

}  // namespace
}  // namespace shardbench
