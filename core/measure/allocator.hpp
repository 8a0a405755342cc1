#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "control/report.hpp"
#include "shardbench/role.hpp"

/// The allocator instrument: every byte that ATen allocates on the CPU in this process, by role, exactly.
///
/// A `c10::Allocator` installed when `shardbench_rank` is loaded puts size and role in the 64 bytes in front of each
/// block. Counting live bytes is always on (a block must be counted out as it was counted in; a few relaxed atomic
/// adds); following the peak is on during an audit step alone.

namespace shardbench::measure {

/// Bytes alive now, by role.
RoleBytes live_bytes();

/// Bytes that the blocks alive now take from malloc, headers included.
std::uint64_t bytes_from_malloc();

/// Starts following the peak from what is alive now; `phase` names what the step does first.
void start_peak(const std::string& phase);
/// The step goes on to another phase.
void next_phase(const std::string& phase);

struct PeakReport {
  Peak peak;                      ///< over all phases
  std::vector<PhasePeak> phases;  ///< in order
  std::int64_t heap_peak = 0;     ///< most at the start of a phase, by `heap_bytes`
};
/// Stops following and gives what was seen.
PeakReport stop_peak();

/// The tensor's storage is counted as weights.
bool is_weight_storage(const at::Tensor& tensor);

}  // namespace shardbench::measure
