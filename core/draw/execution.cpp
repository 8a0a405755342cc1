#include "draw/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "draw/svg_files.hpp"
#include "law/plan_text.hpp"
#include "result/simulated_step.hpp"

namespace shardbench {
namespace {

constexpr double to_milliseconds = 1e3, to_microseconds = 1e6;

using Traces = std::vector<std::vector<Span>>;

/// Of the first launch that has one; null where none has.
const Traces* traces_of(const CaseResult& result) {
  for (const Launch& launch : result.launches)
    if (!launch.traces.empty()) return &launch.traces;
  return nullptr;
}

/// When the first action of any rank began.
double start_of(const Traces& traces) {
  double start = INFINITY;
  for (const auto& rank : traces)
    if (!rank.empty()) start = std::min(start, rank.front().start);
  return start;
}

bool is_communication(const Span& span) {
  return span.name.find("SEND") != std::string::npos || span.name.find("RECV") != std::string::npos;
}

/// When each compute action of each rank began and ended, in milliseconds from the start of the step.
struct Times {
  std::vector<std::vector<double>> begins, ends;
};

Times executed_times(const Traces& traces) {
  const double start = start_of(traces);
  Times times;
  for (const auto& rank : traces) {
    auto& begins = times.begins.emplace_back();
    auto& ends = times.ends.emplace_back();
    for (const Span& span : rank) {
      if (is_communication(span)) continue;
      begins.push_back((span.start - start) * to_milliseconds);
      ends.push_back((span.end - start) * to_milliseconds);
    }
  }
  return times;
}

Times simulated_times(const CaseResult& result, const Simulation& simulation) {
  Times times{simulation.begins, simulation.begins};
  for (std::size_t r = 0; r < times.begins.size(); ++r)
    for (std::size_t i = 0; i < times.begins[r].size(); ++i) {
      times.ends[r][i] += simulation.takes(result.schedule.plan.ranks[r].actions[i]);
      times.ends[r][i] *= to_milliseconds;
      times.begins[r][i] *= to_milliseconds;
    }
  return times;
}

/// Each rank's idle time from the start of the step to its last end is its note.
Gantt::Part part_of(const char* title, const Plan& plan, const Times& times) {
  double end = 0;
  for (const auto& ends : times.ends)
    if (!ends.empty()) end = std::max(end, ends.back());
  std::vector<std::string> notes;
  for (std::size_t r = 0; r < times.begins.size(); ++r) {
    double busy = 0;
    for (std::size_t i = 0; i < times.begins[r].size(); ++i) busy += times.ends[r][i] - times.begins[r][i];
    notes.push_back(fmt::format("idle {:.3g} of {:.3g}", end - busy, end));
  }
  return gantt_part(title, plan, times.begins, times.ends, notes);
}

}  // namespace

std::optional<Gantt> execution_gantt(const CaseResult& result) {
  const Traces* traces = traces_of(result);
  if (traces == nullptr) return std::nullopt;
  Gantt gantt{result.spec.id,
              "One step in milliseconds: its plan simulated with the times that its actions took, and as it ran",
              {}};
  if (const auto simulation = simulated_step(result))
    gantt.parts.push_back(part_of("simulated", result.schedule.plan, simulated_times(result, *simulation)));
  gantt.parts.push_back(part_of("executed", result.schedule.plan, executed_times(*traces)));
  return gantt;
}

std::string execution_trace(const CaseResult& result) {
  const Traces* traces = traces_of(result);
  if (traces == nullptr) return {};
  const double start = start_of(*traces);
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  const auto name = [&](const char* what, std::size_t thread, const std::string& text) {
    events.push_back({{"name", what}, {"ph", "M"}, {"pid", 0}, {"tid", thread}, {"args", {{"name", text}}}});
  };
  name("process_name", 0, result.spec.id);
  for (std::size_t r = 0; r < traces->size(); ++r) {
    name("thread_name", r, fmt::format("rank {}", r));
    for (const Span& span : (*traces)[r])
      events.push_back({{"name", span.name},
                        {"cat", is_communication(span) ? "communication" : "computation"},
                        {"ph", "X"},
                        {"pid", 0},
                        {"tid", r},
                        {"ts", (span.start - start) * to_microseconds},
                        {"dur", (span.end - span.start) * to_microseconds}});
  }
  return nlohmann::ordered_json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump(
             -1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

std::size_t write_trace_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder) {
  return write_case_files(results, folder, ".json", "--trace", execution_trace);
}

}  // namespace shardbench
