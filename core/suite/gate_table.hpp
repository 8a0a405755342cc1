#pragma once
#include "suite/gate.hpp"
#include "suite/table_reader.hpp"

namespace shardbench {

/// The table [gate] of a suite, or the defaults where it has none. That a metric exists is not checked here.
Gate read_gate(TableReader& top);

}  // namespace shardbench
