#include "rank/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include <ATen/ops/empty.h>

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

Pattern::Pattern(DType dtype, int world, std::uint64_t seed, int call)
    : dtype_(dtype), world_(world), seed_(mix(seed + static_cast<std::uint64_t>(call) * 0x9e3779b97f4a7c15ULL)) {
  const std::int64_t largest = exact_up_to(dtype) / world;
  least_ = dtype == DType::uint8 ? 0 : -largest;
  values_ = largest - least_ + 1;
}

std::int64_t Pattern::value(int rank, std::int64_t i) const {
  const auto place =
      static_cast<std::uint64_t>(rank) * static_cast<std::uint64_t>(period) + static_cast<std::uint64_t>(i);
  return least_ + static_cast<std::int64_t>(mix(seed_ ^ mix(place + 1)) % static_cast<std::uint64_t>(values_));
}

template <class Value>
at::Tensor Pattern::make(Value value) const {
  at::Tensor integers = at::empty({period}, at::kLong);
  auto* const to = integers.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < period; ++i) to[i] = value(i);
  return integers.to(scalar_type(dtype_));
}

at::Tensor Pattern::of_rank(int rank) const {
  return make([&](std::int64_t i) { return value(rank, i); });
}

at::Tensor Pattern::reduced(ReduceOp op) const {
  return make([&](std::int64_t i) {
    std::int64_t result = value(0, i);
    for (int rank = 1; rank < world_; ++rank) {
      const std::int64_t next = value(rank, i);
      result = op == ReduceOp::sum   ? result + next
               : op == ReduceOp::max ? std::max(result, next)
                                     : std::min(result, next);
    }
    return result;
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

}  // namespace shardbench
