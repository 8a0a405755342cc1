#pragma once
#include "suite/problems.hpp"
#include "suite/table_reader.hpp"

namespace shardbench {

/// The version of the suite and reference formats (docs/suites.md).
inline constexpr std::int64_t suite_schema = 1;

/// Reads the key `schema`. False where it names another version: the rest of the file then means something else and is
/// not looked at. A missing one is a problem too, but the file is read on.
bool check_schema(TableReader& top, Problems& problems);

}  // namespace shardbench
