#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.hpp"
#include "suite/problems.hpp"
#include "suite/settings.hpp"

namespace shardbench {

/// Reports every option that none of `plugins` declares. `what` is their kind, "strategy".
void check_declared(const OptionAxes& options, const std::vector<const PluginInfo*>& plugins, std::string_view what,
                    Problems& problems);

/// Reports every value that a plugin which declares the option does not allow.
void check_values(const OptionAxes& options, const std::vector<const PluginInfo*>& plugins, Problems& problems);

/// The settings of a plugin's options that a table asks for: the cross product over those options that the plugin
/// declares, names in alphabetical order; one empty setting where it declares none of them.
std::vector<std::map<std::string, std::string>> option_settings(const OptionAxes& options, const PluginInfo& plugin);

/// How many those are.
double count_settings(const OptionAxes& options, const PluginInfo& plugin);

}  // namespace shardbench
