#include "rank/data.hpp"

#include <algorithm>
#include <cstring>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

namespace shardbench {

at::Tensor batch_slice(const Case& spec, int step, int slice) {
  const std::uint64_t seed =
      (spec.seed * 1'000'003 + static_cast<std::uint64_t>(step)) * 4099 + static_cast<std::uint64_t>(slice) + 0x5eed;
  return at::randn({spec.batch, spec.model.widths.front()}, at::detail::createCPUGenerator(seed));
}

int batch_of_step(const Case& spec, int step) { return std::min(step, spec.steps + 1); }

at::Tensor targets(const Case& spec, std::int64_t rows) {
  return spec.model.loss == Loss::mse ? at::ones({rows, spec.model.widths.back()}) : at::Tensor();
}

std::uint64_t hash_of(const at::Tensor& tensor, std::uint64_t seed) {
  const auto* bytes = static_cast<const char*>(tensor.const_data_ptr());
  const auto size = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  std::uint64_t hash = seed;
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, std::min<std::size_t>(8, size - i));
    hash = (hash ^ word) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace shardbench
