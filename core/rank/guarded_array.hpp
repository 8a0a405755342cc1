#pragma once
#include <cstdint>
#include <string>

#include <ATen/core/TensorBody.h>

#include "control/report.hpp"
#include "shardbench/dtype.hpp"

namespace shardbench {

/// An array of a collective with a band of known bytes before and after it, so that a backend that writes outside of it
/// is seen.
class GuardedArray {
 public:
  /// Bytes of each band.
  static constexpr std::int64_t band = 4096;

  GuardedArray(std::string name, std::uint64_t elements, DType dtype);

  const std::string& name() const noexcept { return name_; }
  /// The elements between the bands.
  const at::Tensor& data() const noexcept { return data_; }

  /// Makes the bands whole, and every byte of the elements one that no right result is made of.
  void poison();
  /// Makes the bands whole.
  void restore_bands();

  /// Adds the bytes of the bands that were written since to `check`.
  void check_bands(int call, BufferCheck& check) const;

 private:
  std::string name_;
  at::Tensor bytes_, data_;
};

}  // namespace shardbench
