#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "comm/half.hpp"
#include "shardbench/dtype.hpp"
#include "shardbench/error.hpp"

namespace shardbench::test {

inline void require(bool holds, const std::string& what) {
  if (!holds) throw Error(what);
}

/// `count` elements between two bands of memory that nobody may write to.
class Guarded {
 public:
  Guarded(std::size_t count, DType dtype)
      : count_(count), dtype_(dtype), memory_(count * size_of(dtype) + 2 * band, guard) {
    std::memset(data(), 0xcd, bytes());
  }
  std::size_t count() const noexcept { return count_; }
  std::size_t bytes() const noexcept { return count_ * size_of(dtype_); }
  unsigned char* data() noexcept { return memory_.data() + band; }
  const unsigned char* data() const noexcept { return memory_.data() + band; }
  unsigned char* at(std::size_t index) noexcept { return data() + index * size_of(dtype_); }

  void set(std::size_t index, double value) {
    switch (dtype_) {
      case DType::float32: return put(index, static_cast<float>(value));
      case DType::float64: return put(index, value);
      case DType::bfloat16: return put(index, half::to_bfloat16(static_cast<float>(value)));
      case DType::float16: return put(index, half::to_float16(static_cast<float>(value)));
      case DType::int32: return put(index, static_cast<std::int32_t>(value));
      case DType::int64: return put(index, static_cast<std::int64_t>(value));
      case DType::uint8: return put(index, static_cast<std::uint8_t>(value));
    }
  }
  double get(std::size_t index) const {
    switch (dtype_) {
      case DType::float32: return get_as<float>(index);
      case DType::float64: return get_as<double>(index);
      case DType::bfloat16: return half::from_bfloat16(get_as<std::uint16_t>(index));
      case DType::float16: return half::from_float16(get_as<std::uint16_t>(index));
      case DType::int32: return get_as<std::int32_t>(index);
      case DType::int64: return static_cast<double>(get_as<std::int64_t>(index));
      case DType::uint8: return get_as<std::uint8_t>(index);
    }
    return 0;
  }
  /// Throws if a guard band was written to.
  void check_bands(const std::string& what) const {
    bool whole = true;
    for (std::size_t i = 0; i < band; ++i) whole &= memory_[i] == guard && memory_[memory_.size() - 1 - i] == guard;
    require(whole, what + ": wrote outside its buffer");
  }

 private:
  static constexpr std::size_t band = 64;
  static constexpr unsigned char guard = 0xa5;
  template <typename T>
  void put(std::size_t index, T value) {
    std::memcpy(at(index), &value, sizeof value);
  }
  template <typename T>
  T get_as(std::size_t index) const {
    T value;
    std::memcpy(&value, data() + index * sizeof value, sizeof value);
    return value;
  }

  std::size_t count_;
  DType dtype_;
  std::vector<unsigned char> memory_;
};

}  // namespace shardbench::test
