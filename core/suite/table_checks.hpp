#pragma once
#include <vector>

#include "plugin/catalogue.hpp"
#include "suite/definitions.hpp"
#include "suite/problems.hpp"
#include "suite/settings.hpp"

namespace shardbench {

/// What the names in tables refer to.
struct Names {
  const Definitions& definitions;
  const Catalogue& catalogue;
};

/// The plugins that a table names, in its order; those that are not there have been reported and left out.
struct TablePlugins {
  std::vector<const PluginInfo*> subjects;  ///< strategies or schedules
  std::vector<const PluginInfo*> backends;
  bool subjects_known = true, backends_known = true;  ///< none was left out
};

/// Reports whatever a table (complete with the defaults) asks for that cannot be: missing keys, names that refer to
/// nothing, numbers that do not fit each other.
TablePlugins check_table(const Settings& table, Program program, const Names& names, Problems& problems);

}  // namespace shardbench
