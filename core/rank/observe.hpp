#pragma once
#include <chrono>
#include <span>
#include <string>

#include "control/report.hpp"
#include "measure/allocator.hpp"
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

/// What the optimizer's holdings named "step" count.
void report_optimizer_steps(const Holdings& holdings, RankReport& report);

/// Runs one step with every instrument on and writes what they saw.
template <class Step>
void audit_step(Communicator& comm, RankReport& report, Step step) {
  comm.reset_counters();
  const auto wire_before = comm.bytes_on_wire();
  report.alive_before_step = total(measure::live_bytes());
  measure::start_saved_tensors();
  measure::start_peak("start");
  step();
  const measure::PeakReport seen = measure::stop_peak();
  report.saved = measure::stop_saved_tensors();
  report.alive_after_step = total(measure::live_bytes());
  report.peak = seen.peak;
  report.phases = seen.phases;
  report.traffic = comm.traffic();
  if (wire_before) report.bytes_on_wire = *comm.bytes_on_wire() - *wire_before;
}

}  // namespace shardbench
