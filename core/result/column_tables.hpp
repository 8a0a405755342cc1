#pragma once
#include <vector>

#include "result/quantities.hpp"

/// The parts of `columns()`, one function per file of this room; use `columns()` elsewhere.

namespace shardbench {

std::vector<Column> identity_columns();    ///< which case, how it ended, which rank
std::vector<Column> memory_columns();      ///< bytes at rest, peak, saved tensors, bytes sent
std::vector<Column> time_columns();        ///< step times, losses, invariants
std::vector<Column> role_columns();        ///< the peak by role, VmHWM
std::vector<Column> prediction_columns();  ///< further counts beside what predicts them; phases of the step
std::vector<Column> collective_columns();  ///< of one operation of a backend
std::vector<Column> pipeline_columns();    ///< further counts and times of pipelines, beside what predicts them
std::vector<Column> setting_columns();     ///< model, batch, environment

}  // namespace shardbench
