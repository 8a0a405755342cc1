#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shardbench {

/// Element types that travel between ranks (IEEE 754 binary formats, bfloat16, two's complement integers).
enum class DType : std::uint8_t { float32, float64, bfloat16, float16, int32, int64, uint8 };

inline constexpr DType all_dtypes[] = {DType::float32, DType::float64, DType::bfloat16, DType::float16,
                                       DType::int32,   DType::int64,   DType::uint8};

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::float64:
    case DType::int64: return 8;
    case DType::float32:
    case DType::int32: return 4;
    case DType::bfloat16:
    case DType::float16: return 2;
    case DType::uint8: return 1;
  }
  return 0;
}

constexpr std::string_view name_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::float32: return "float32";
    case DType::float64: return "float64";
    case DType::bfloat16: return "bfloat16";
    case DType::float16: return "float16";
    case DType::int32: return "int32";
    case DType::int64: return "int64";
    case DType::uint8: return "uint8";
  }
  return "?";
}

/// The dtype of that name, or nothing.
constexpr std::optional<DType> dtype_named(std::string_view name) noexcept {
  for (const DType dtype : all_dtypes)
    if (name_of(dtype) == name) return dtype;
  return std::nullopt;
}

}  // namespace shardbench
