#pragma once
#include <string>
#include <vector>

#include "suite/settings.hpp"
#include "suite/table_checks.hpp"

namespace shardbench {

/// Most cases of one suite.
inline constexpr double most_cases = 10000;

/// `table` with its program's defaults (docs/suites.md) for the axes that neither it nor [defaults] gives.
Settings complete(Settings table, Program program);

/// What all cases of a table have in common.
Case common_case(const Settings& table, Program program);

/// How many cases `expand` would give, at most.
double count_cases(const Settings& table, const TablePlugins& plugins);

/// The cross product of a table's axes, the last one running fastest: strategy or schedule, backend, world, unit or
/// horizon, model, optimizer, dtype, options, backend options; within an axis in the order of the list.
std::vector<Case> expand(const Settings& table, Program program, const Names& names, const TablePlugins& plugins);

/// Reports two cases of one id.
void check_ids(const std::vector<Case>& cases, Problems& problems);

}  // namespace shardbench
