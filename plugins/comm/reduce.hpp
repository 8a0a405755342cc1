#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "comm/half.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/dtype.hpp"

/// Element-wise reduction of two arrays, for backends that reduce themselves. Half types are computed in float and
/// rounded to nearest even after each operation; integer sums wrap around; max and min return `a` where a and b compare
/// equal or do not compare (NaN).

namespace shardbench::reduction {

struct Plain {
  template <typename T>
  static T load(T x) noexcept {
    return x;
  }
  template <typename T>
  static T store(T x) noexcept {
    return x;
  }
};
struct BFloat16 {
  static float load(std::uint16_t x) noexcept { return half::from_bfloat16(x); }
  static std::uint16_t store(float x) noexcept { return half::to_bfloat16(x); }
};
struct Float16 {
  static float load(std::uint16_t x) noexcept { return half::from_float16(x); }
  static std::uint16_t store(float x) noexcept { return half::to_float16(x); }
};

struct Sum {
  template <typename T>
  static T apply(T a, T b) noexcept {
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    } else {
      return a + b;
    }
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) noexcept {
    return b > a ? b : a;
  }
};
struct Min {
  template <typename T>
  static T apply(T a, T b) noexcept {
    return b < a ? b : a;
  }
};

/// `out` may be `a` or `b` itself: an element depends on no other (hence ivdep), but they may not overlap otherwise.
template <typename Op, typename Form, typename T>
void loop(void* out, const void* a, const void* b, std::size_t n) noexcept {
  auto* o = static_cast<T*>(out);
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) o[i] = Form::store(Op::apply(Form::load(x[i]), Form::load(y[i])));
}

template <typename Op>
void by_dtype(void* out, const void* a, const void* b, std::size_t n, DType dtype) noexcept {
  switch (dtype) {
    case DType::float32: return loop<Op, Plain, float>(out, a, b, n);
    case DType::float64: return loop<Op, Plain, double>(out, a, b, n);
    case DType::bfloat16: return loop<Op, BFloat16, std::uint16_t>(out, a, b, n);
    case DType::float16: return loop<Op, Float16, std::uint16_t>(out, a, b, n);
    case DType::int32: return loop<Op, Plain, std::int32_t>(out, a, b, n);
    case DType::int64: return loop<Op, Plain, std::int64_t>(out, a, b, n);
    case DType::uint8: return loop<Op, Plain, std::uint8_t>(out, a, b, n);
  }
}

}  // namespace shardbench::reduction

namespace shardbench {

/// out[i] = a[i] op b[i] for n elements. `out` may be `a` or `b`.
inline void reduce(void* out, const void* a, const void* b, std::size_t n, DType dtype, ReduceOp op) noexcept {
  switch (op) {
    case ReduceOp::sum: return reduction::by_dtype<reduction::Sum>(out, a, b, n, dtype);
    case ReduceOp::max: return reduction::by_dtype<reduction::Max>(out, a, b, n, dtype);
    case ReduceOp::min: return reduction::by_dtype<reduction::Min>(out, a, b, n, dtype);
  }
}

}  // namespace shardbench
