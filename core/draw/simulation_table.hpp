#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "result/text_style.hpp"
#include "shardbench/schedule.hpp"
#include "simulate/critical_path.hpp"
#include "simulate/simulate.hpp"

namespace shardbench {

/// A simulated step in numbers: the makespan; a line per rank (of many the first and last) with what it waits, what it
/// has in flight, and the law's claim where it has one; what each link carries; the critical path, summed up.
std::string simulation_table(const Plan& plan, const Simulation& simulation, const std::vector<ScheduleLaw>& laws,
                             TextStyle style);

/// A schedule among others at one number of ranks and microbatches.
struct ComparedSchedule {
  std::string name;
  int chunks = 1;
  double makespan = 0;
  double idle = 0;         ///< of the rank that idles most, in the makespan
  double until_input = 0;  ///< most in flight on any rank, in whole microbatches: 1 is a microbatch of all its chunks
  double until_weight = 0;
  std::uint64_t sent = 0;        ///< by all ranks: bytes, or messages where they have none
  std::string law_failure = {};  ///< what its law says wrongly; empty: it is right
};

/// The schedules by makespan, then by memory until W; each with its place by both.
std::string comparison_table(std::vector<ComparedSchedule> schedules, const char* sent_unit, TextStyle style);

}  // namespace shardbench
