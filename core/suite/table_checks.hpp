#pragma once
#include <string>
#include <string_view>
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

/// Reports a key that is not there.
void require(bool given, std::string_view key, const Settings& table, std::string_view example, Problems& problems);

/// The plugins of that kind and of the axis' names; those that are not there are reported. `what` is the key.
std::vector<const PluginInfo*> find_plugins(const Axis<std::string>& axis, PluginKind kind, std::string_view what,
                                            const Catalogue& catalogue, Problems& problems);

/// Reports whatever a table (complete with the defaults) asks for that cannot be: missing keys, names that refer to
/// nothing, numbers that do not fit each other.
TablePlugins check_table(const Settings& table, Program program, const Names& names, Problems& problems);

}  // namespace shardbench
