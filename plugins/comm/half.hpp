#pragma once
#include <bit>
#include <cstdint>

/// bfloat16 and float16 to float and back, rounding to nearest even (IEEE 754). Without branches, so that loops over
/// them become vector code on any machine.

namespace shardbench::half {

inline float from_bfloat16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t to_bfloat16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t quiet_nan = (bits >> 16) | 0x40U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet_nan : rounded);
}

/// The exponent is moved by a multiplication with 2^112, which makes float16's subnormals normal floats.
inline float from_float16(std::uint16_t bits) noexcept {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fffU) << 13;
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t infinite_or_nan = magnitude | 0x7f800000U;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  return std::bit_cast<float>(sign | (magnitude >= 0x0f800000U ? infinite_or_nan : finite));
}

/// Normal results: round the 13 bits that go in integer arithmetic. Subnormal ones (below 2^-14): adding 0.5 leaves the
/// result's bits, rounded by the addition itself, at the end of the sum. 65520 and more become infinity.
inline std::uint16_t to_float16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  const std::uint32_t nan_or_infinity = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
  const std::uint32_t small = magnitude < 0x38800000U ? subnormal : normal;
  return static_cast<std::uint16_t>(sign | (magnitude >= 0x477ff000U ? nan_or_infinity : small));
}

}  // namespace shardbench::half
