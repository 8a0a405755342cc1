#pragma once
#include <cstdint>

#include <ATen/core/TensorBody.h>

#include "suite/case.hpp"

namespace shardbench {

/// Slice `slice` of the global batch of step `step`: `case.batch` rows of standard normal numbers, from (seed, step,
/// slice) alone. A training rank trains on the slice of its rank; a pipeline has one slice.
at::Tensor batch_slice(const Case& spec, int step, int slice);

/// Which batch a step of a case trains on, counted from 0: each checked step its own, the audit the next, and every
/// step after that (warm-up, timed, traced) the one after.
int batch_of_step(const Case& spec, int step);

/// What the loss compares the model's output with, or an undefined tensor.
at::Tensor targets(const Case& spec, std::int64_t rows);

/// A hash of a tensor's bytes (FNV-1a, 64 bits, over 8-byte words), continued from `seed`.
std::uint64_t hash_of(const at::Tensor& tensor, std::uint64_t seed = 14695981039346656037ULL);

}  // namespace shardbench
