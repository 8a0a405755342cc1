#include "rank/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

namespace shardbench {
namespace {

/// Largest magnitude up to which the dtype has every integer, or for the integers most of what they hold: a sum must
/// not overflow.
std::int64_t exact_up_to(DType dtype) {
  switch (dtype) {
    case DType::uint8: return 255;
    case DType::bfloat16: return std::int64_t{1} << 8;
    case DType::float16: return std::int64_t{1} << 11;
    case DType::float32: return std::int64_t{1} << 24;
    case DType::float64: return std::int64_t{1} << 53;
    case DType::int32: return (std::int64_t{1} << 31) - 1;
    case DType::int64: return std::int64_t{1} << 62;
  }
  return 0;
}

/// Significant bits of a floating-point dtype; 0 for the integers.
int significant_bits(DType dtype) {
  switch (dtype) {
    case DType::bfloat16: return 8;
    case DType::float16: return 11;
    case DType::float32: return 24;
    case DType::float64: return 53;
    case DType::uint8:
    case DType::int32:
    case DType::int64: return 0;
  }
  return 0;
}

/// Most by which exponents of rounding values differ: sums of 64 float64 still fit into int64.
constexpr std::uint64_t exponents = 5;

/// SplitMix64's finalizer (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::string text_of(const at::Tensor& element) {
  std::ostringstream text;
  text.precision(17);
  if (at::isIntegralType(element.scalar_type(), /*includeBool=*/false))
    text << element.item<std::int64_t>();
  else
    text << element.item<double>();
  return text.str();
}

/// A copy in memory that the metered allocator does not count: what the checks need is not the operation's.
at::Tensor uncounted(const at::Tensor& tensor) {
  const std::size_t bytes = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  std::memcpy(memory, tensor.const_data_ptr(), bytes);
  return at::from_blob(
      memory, tensor.sizes(), [](void* m) { std::free(m); }, tensor.options());
}

/// Calls `visit(begin, phase, count)` for the runs of `data` that lie inside one period.
template <class Visit>
void each_run(std::int64_t elements, std::int64_t first, Visit visit) {
  for (std::int64_t begin = 0; begin < elements;) {
    const std::int64_t phase = (first + begin) % Pattern::period;
    const std::int64_t count = std::min(elements - begin, Pattern::period - phase);
    visit(begin, phase, count);
    begin += count;
  }
}

}  // namespace

at::ScalarType scalar_type(DType dtype) {
  switch (dtype) {
    case DType::float32: return at::kFloat;
    case DType::float64: return at::kDouble;
    case DType::bfloat16: return at::kBFloat16;
    case DType::float16: return at::kHalf;
    case DType::int32: return at::kInt;
    case DType::int64: return at::kLong;
    case DType::uint8: return at::kByte;
  }
  return at::kByte;
}

Pattern::Pattern(DType dtype, int world, std::uint64_t seed, int set, Values values)
    : dtype_(dtype),
      world_(world),
      seed_(mix(seed + static_cast<std::uint64_t>(set) * 0x9e3779b97f4a7c15ULL)),
      fraction_bits_(values == Values::rounding ? significant_bits(dtype) : 0) {
  const std::int64_t largest = exact_up_to(dtype) / world;
  least_ = dtype == DType::uint8 ? 0 : -largest;
  values_ = largest - least_ + 1;
}

std::int64_t Pattern::value(int rank, std::int64_t i) const {
  const auto place =
      static_cast<std::uint64_t>(rank) * static_cast<std::uint64_t>(period) + static_cast<std::uint64_t>(i);
  const std::uint64_t random = mix(seed_ ^ mix(place + 1));
  if (fraction_bits_ == 0) return least_ + static_cast<std::int64_t>(random % static_cast<std::uint64_t>(values_));
  const std::uint64_t half = std::uint64_t{1} << (fraction_bits_ - 1), more = mix(random + 1);
  const auto magnitude = static_cast<std::int64_t>((half + random % half) << (more / 2 % exponents));
  return more % 2 == 0 ? magnitude : -magnitude;
}

template <class Value>
at::Tensor Pattern::integers(Value value) {
  at::Tensor integers = at::empty({period}, at::kLong);
  auto* const to = integers.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < period; ++i) to[i] = value(i);
  return uncounted(integers);
}

at::Tensor Pattern::elements(const at::Tensor& integers) const {
  if (fraction_bits_ == 0) return uncounted(integers.to(scalar_type(dtype_)));
  return uncounted(integers.to(at::kDouble).mul_(std::ldexp(1.0, -fraction_bits_)).to(scalar_type(dtype_)));
}

at::Tensor Pattern::of_rank(int rank) const {
  return elements(integers([&](std::int64_t i) { return value(rank, i); }));
}

at::Tensor Pattern::reduced(ReduceOp op) const {
  return elements(integers([&](std::int64_t i) {
    std::int64_t result = value(0, i);
    for (int rank = 1; rank < world_; ++rank) {
      const std::int64_t next = value(rank, i);
      result = op == ReduceOp::sum   ? result + next
               : op == ReduceOp::max ? std::max(result, next)
                                     : std::min(result, next);
    }
    return result;
  }));
}

at::Tensor Pattern::exact_sums() const {
  return integers([&](std::int64_t i) {
    std::int64_t sum = 0;
    for (int rank = 0; rank < world_; ++rank) sum += value(rank, i);
    return sum;
  });
}

at::Tensor Pattern::magnitudes() const {
  return integers([&](std::int64_t i) {
    std::int64_t sum = 0;
    for (int rank = 0; rank < world_; ++rank) sum += std::abs(value(rank, i));
    return sum;
  });
}

void fill(const at::Tensor& data, const at::Tensor& one_period, std::int64_t first) {
  const auto size = data.element_size();
  auto* const to = static_cast<char*>(data.mutable_data_ptr());
  const auto* const from = static_cast<const char*>(one_period.const_data_ptr());
  each_run(data.numel(), first, [&](std::int64_t begin, std::int64_t phase, std::int64_t count) {
    std::memcpy(to + static_cast<std::size_t>(begin) * size, from + static_cast<std::size_t>(phase) * size,
                static_cast<std::size_t>(count) * size);
  });
}

Mismatch compare(const at::Tensor& data, const at::Tensor& one_period, std::int64_t first) {
  Mismatch mismatch;
  const auto size = data.element_size();
  const auto* const got = static_cast<const char*>(data.const_data_ptr());
  const auto* const wanted = static_cast<const char*>(one_period.const_data_ptr());
  each_run(data.numel(), first, [&](std::int64_t begin, std::int64_t phase, std::int64_t count) {
    const char* const g = got + static_cast<std::size_t>(begin) * size;
    const char* const w = wanted + static_cast<std::size_t>(phase) * size;
    if (std::memcmp(g, w, static_cast<std::size_t>(count) * size) == 0) return;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i) * size;
      if (std::memcmp(g + at, w + at, size) == 0 || mismatch.elements++ > 0) continue;
      mismatch.first = begin + i;
      mismatch.got = text_of(data[begin + i]);
      mismatch.wanted = text_of(one_period[phase + i]);
    }
  });
  return mismatch;
}

Mismatch compare(const at::Tensor& data, const RoundedSums& sums, std::int64_t first) {
  Mismatch mismatch;
  const at::Tensor doubles = data.to(at::kDouble);
  const auto* const got = doubles.const_data_ptr<double>();
  const auto* const exact = sums.exact.const_data_ptr<std::int64_t>();
  const auto* const magnitudes = sums.magnitudes.const_data_ptr<std::int64_t>();
  const auto value = [&](long double units) { return std::ldexp(units, -sums.fraction_bits); };
  each_run(data.numel(), first, [&](std::int64_t begin, std::int64_t phase, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const long double wanted = value(static_cast<long double>(exact[phase + i]));
      const long double unit_roundoff = value(1);
      const long double bound =
          (sums.terms - 1) * unit_roundoff * value(static_cast<long double>(magnitudes[phase + i]));
      if (std::abs(static_cast<long double>(got[begin + i]) - wanted) <= bound || mismatch.elements++ > 0) continue;
      mismatch.first = begin + i;
      mismatch.got = text_of(data[begin + i]);
      std::ostringstream text;
      text.precision(17);
      text << static_cast<double>(wanted) << " up to " << static_cast<double>(bound);
      mismatch.wanted = text.str();
    }
  });
  return mismatch;
}

}  // namespace shardbench
