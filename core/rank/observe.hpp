#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/report.hpp"
#include "measure/allocator.hpp"
#include "measure/heap.hpp"
#include "measure/saved_tensors.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/communicator.hpp"
#include "shardbench/memory.hpp"
#include "shardbench/strategy.hpp"

namespace shardbench {

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Bytes at rest by role, and the allocator's count beside it.
void report_holdings(const Holdings& holdings, RankReport& report);

/// What the optimizer's holdings named "step" count: the distinct values, ascending.
std::vector<double> optimizer_steps(const Holdings& holdings);

/// Runs one step with every instrument on and writes what they saw.
template <class Step>
void audit_step(Communicator& comm, RankReport& report, Step step) {
  comm.reset_counters();
  const auto wire_before = comm.bytes_on_wire();
  comm.start_wire_claim();
  report.alive_before_step = total(measure::live_bytes());
  const std::int64_t heap_before = measure::heap_bytes();
  measure::start_saved_tensors();
  measure::start_peak("start");
  step();
  const measure::PeakReport seen = measure::stop_peak();
  report.saved = measure::stop_saved_tensors();
  report.alive_after_step = total(measure::live_bytes());
  report.heap.step_growth = measure::heap_bytes() - heap_before;
  report.heap.step_peak = seen.heap_peak - heap_before;
  report.peak = seen.peak;
  report.phases = seen.phases;
  report.traffic = comm.traffic();
  report.wire_claim = comm.stop_wire_claim();
  if (wire_before) report.bytes_on_wire = *comm.bytes_on_wire() - *wire_before;
}

/// Follows a program's timed part from outside the clock.
///
///     TimedSteps timed(comm);
///     timed.before_step();
///     const auto start = Clock::now();
///     step();
///     time.step = seconds_since(start);
///     timed.after_step();
class TimedSteps {
 public:
  explicit TimedSteps(Communicator& comm) : comm_(comm) {}

  /// Waits for the other ranks; the communicator counts from then on.
  void before_step();
  void after_step();
  /// What was seen since the first step.
  void report(RankReport& report) const;

 private:
  struct Memory {
    std::uint64_t alive = 0;
    std::int64_t heap = 0, anonymous = 0;
  };
  static Memory memory();

  Communicator& comm_;
  std::uint64_t steps_ = 0;
  Traffic traffic_;
  Memory before_;
  std::optional<std::uint64_t> wire_before_;
};

}  // namespace shardbench
