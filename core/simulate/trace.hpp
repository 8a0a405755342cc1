#pragma once
#include <string>
#include <string_view>

#include "simulate/simulate.hpp"

namespace shardbench {

/// A simulated step in Chrome's trace event format, which ui.perfetto.dev and chrome://tracing open: a process for the
/// schedule, a thread for each rank, a slice for each action and an arrow for each message. `microseconds` is what one
/// unit of the simulation's time becomes: 1e6 where it is the second.
std::string trace_json(const Plan& plan, const Simulation& simulation, std::string_view title, double microseconds);

}  // namespace shardbench
