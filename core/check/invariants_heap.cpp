#include <fmt/format.h>

#include "check/invariant_functions.hpp"

/// Memory outside ATen's allocator: the tolerances are measured (docs/laws.md, "Outside ATen").

namespace shardbench::invariant {
namespace {

constexpr std::int64_t kib = 1024;

/// What malloc keeps to hand out again, what a library makes when it first needs it (Open MPI over TCP, fragments of a
/// message), and replies to the driver.
constexpr std::int64_t growth_tolerance = 256 * kib;
/// The objects of a strategy: tensors, views and lists for each parameter tensor, and what is there once.
constexpr std::int64_t held_tolerance = 32 * kib, held_by_tensor = 4 * kib;

std::int64_t parameter_tensors(const Case& spec) {
  return static_cast<std::int64_t>(spec.model.layers()) * (spec.model.bias ? 2 : 1);
}

void require_at_most(std::int64_t bytes, std::int64_t tolerance, std::string_view what, Findings& findings) {
  if (bytes > tolerance)
    findings.fail(fmt::format("{} {} bytes outside ATen's allocator, but {} are tolerated ({} more)", what, bytes,
                              tolerance, bytes - tolerance));
}

}  // namespace

Finding heap_held(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    require_at_most(r.heap.held, held_tolerance + held_by_tensor * parameter_tensors(in.result.spec),
                    "the strategy held", findings);
  });
}

Finding step_leaves_heap(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    require_at_most(r.heap.step_growth, growth_tolerance, "the audit step left", findings);
  });
}

Finding timed_steps_leave_heap(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    require_at_most(r.heap.timed_growth, growth_tolerance, fmt::format("{} steps after the audit left", r.timed.steps),
                    findings);
  });
}

}  // namespace shardbench::invariant
