#include "rank/guarded_array.hpp"

#include <cstring>
#include <utility>

#include <ATen/ops/empty.h>

#include "rank/pattern.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

constexpr unsigned char band_byte = 0x5c, poison_byte = 0xa5;

unsigned char* begin_of(const at::Tensor& bytes) { return static_cast<unsigned char*>(bytes.mutable_data_ptr()); }

}  // namespace

GuardedArray::GuardedArray(std::string name, std::uint64_t elements, DType dtype) : name_(std::move(name)) {
  const RoleScope scope(Role::communication);
  const auto size = static_cast<std::int64_t>(elements * size_of(dtype));
  bytes_ = at::empty({band + size + band}, at::kByte);
  data_ = bytes_.narrow(0, band, size).view(scalar_type(dtype));
  poison();
}

void GuardedArray::poison() {
  std::memset(begin_of(bytes_), poison_byte, static_cast<std::size_t>(bytes_.numel()));
  restore_bands();
}

void GuardedArray::restore_bands() {
  std::memset(begin_of(bytes_), band_byte, band);
  std::memset(begin_of(bytes_) + bytes_.numel() - band, band_byte, band);
}

void GuardedArray::check_bands(int call, BufferCheck& check) const {
  const auto written = [&](const unsigned char* first, const char* where) {
    std::uint64_t count = 0;
    for (std::int64_t i = 0; i < band; ++i) count += first[i] == band_byte ? 0 : 1;
    check.guard_bytes_written += count;
    if (count > 0 && check.first_guard.empty())
      check.first_guard = std::to_string(count) + " bytes " + where + " " + name_ + " in call " + std::to_string(call);
  };
  written(begin_of(bytes_), "before");
  written(begin_of(bytes_) + bytes_.numel() - band, "after");
}

}  // namespace shardbench
