#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "result/quantities.hpp"

/// The parts of `columns()`, one function per file of this room; use `columns()` elsewhere.

namespace shardbench {

inline bool training(const Row& row) { return row.result.spec.program == Program::training; }
inline bool pipeline(const Row& row) { return row.result.spec.program == Program::pipeline; }
inline bool collective(const Row& row) { return row.result.spec.program == Program::collective; }

/// Empty where there is no value.
inline Cell cell(const std::optional<double>& value) { return value ? Cell{*value} : Cell{}; }

/// A number that an instrument counts on every rank.
inline Column counted(std::string_view name, std::string_view unit, std::string_view source, std::string_view meaning,
                      Column::Value value) {
  return {.name = name, .unit = unit, .source = source, .meaning = meaning, .of_rank = value, .counted = true};
}

std::vector<Column> identity_columns();    ///< which case, how it ended, which rank
std::vector<Column> memory_columns();      ///< bytes at rest, peak, saved tensors, bytes sent
std::vector<Column> time_columns();        ///< step times, losses, invariants
std::vector<Column> role_columns();        ///< the peak by role, VmHWM
std::vector<Column> prediction_columns();  ///< further counts beside what predicts them; phases of the step
std::vector<Column> collective_columns();  ///< of one operation of a backend
std::vector<Column> pipeline_columns();    ///< further counts and times of pipelines, beside what predicts them
std::vector<Column> heap_columns();        ///< memory outside ATen's allocator
std::vector<Column> setting_columns();     ///< model, batch, environment

}  // namespace shardbench
