#pragma once
#include <vector>

#include "suite/settings.hpp"
#include "suite/table_checks.hpp"

namespace shardbench {

/// Reports whatever a [[collective]] table (complete with the defaults) asks for that cannot be: missing keys, backends
/// that are not there, sizes that do not fit the dtype or the world. There are no `subjects` among the plugins.
TablePlugins check_collective(const Settings& table, const Catalogue& catalogue, Problems& problems);

/// How many cases `expand_collective` gives.
double count_collective(const Settings& table, const TablePlugins& plugins);

/// The cross product of the table's axes, the last one running fastest: operation, world, dtype, reduction, bytes,
/// backend, backend options. So what is compared runs one after the other. An operation without an array takes no
/// bytes and no dtype, one that does not reduce no reduction: it is there once.
std::vector<Case> expand_collective(Case common, const Settings& table, const TablePlugins& plugins);

}  // namespace shardbench
