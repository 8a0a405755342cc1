#include "result/column_tables.hpp"

namespace shardbench {
namespace {

/// Memory outside ATen: not the same in every launch to the byte, so not among the counted columns.
Column heap(std::string_view name, std::string_view source, std::string_view meaning, Column::Value value) {
  return {.name = name, .unit = "bytes", .source = source, .meaning = meaning, .of_rank = value};
}

Cell bytes(std::int64_t value) { return static_cast<double>(value); }

}  // namespace

std::vector<Column> heap_columns() {
  return {
      heap("heap_at_rest_bytes", "malloc",
           "memory outside ATen's allocator after the checked steps, above what was there before the strategy or the "
           "stages were made; what the backend and the libraries keep since then included",
           [](const Row& r) { return collective(r) ? Cell{} : bytes(r.report().heap.at_rest); }),
      heap("heap_held_bytes", "malloc",
           "memory outside ATen's allocator that the strategy gave back when it was destroyed",
           [](const Row& r) { return training(r) ? bytes(r.report().heap.held) : Cell{}; }),
      heap("heap_step_peak_bytes", "malloc",
           "most memory outside ATen's allocator at the start of a phase of the audit step, above that before the step",
           [](const Row& r) { return bytes(r.report().heap.step_peak); }),
      heap("heap_step_growth_bytes", "malloc",
           "memory outside ATen's allocator after the audit step, above that before it",
           [](const Row& r) { return bytes(r.report().heap.step_growth); }),
      heap("heap_timed_growth_bytes", "malloc",
           "memory outside ATen's allocator after the steps that follow the audit, above that before them, by step",
           [](const Row& r) -> Cell {
             const auto& report = r.report();
             if (report.timed.steps == 0) return {};
             return static_cast<double>(report.heap.timed_growth) / static_cast<double>(report.timed.steps);
           }),
      heap("anonymous_timed_growth_bytes", "kernel",
           "resident private memory (RssAnon) after these steps, above that before them: what is mapped without malloc "
           "shows here alone",
           [](const Row& r) { return bytes(r.report().heap.anonymous_growth); }),
  };
}

}  // namespace shardbench
