#include "suite/option_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/toml_text.hpp"

namespace shardbench {
namespace {

bool allows(const std::vector<std::string>& allowed, const std::string& value) {
  const auto matches = [&](const std::string& one) { return one == "*" || one == value; };
  return std::any_of(allowed.begin(), allowed.end(), matches);
}

}  // namespace

void check_declared(const OptionAxes& options, const std::vector<const PluginInfo*>& plugins, std::string_view what,
                    Problems& problems) {
  std::vector<std::string> plugin_names, option_names, with_owner;
  for (const auto* plugin : plugins) {
    plugin_names.push_back(plugin->name);
    for (const auto& [name, allowed] : plugin->options) {
      option_names.push_back(name);
      with_owner.push_back(fmt::format("{} ({})", name, plugin->name));
    }
  }
  for (const auto& [name, option] : options) {
    if (std::find(option_names.begin(), option_names.end(), name) != option_names.end()) continue;
    problems.add(fmt::format("{}: no {} used here ({}) has an option {}", option.key, what, listed(plugin_names),
                             in_quotes(name)),
                 option.axis.place, did_you_mean(name, option_names) + "their options: " + listed(with_owner));
  }
}

void check_values(const OptionAxes& options, const std::vector<const PluginInfo*>& plugins, Problems& problems) {
  for (const auto* plugin : plugins) {
    for (const auto& [name, allowed] : plugin->options) {
      const auto option = options.find(name);
      if (option == options.end()) continue;
      for (const auto& value : option->second.axis.values) {
        if (allows(allowed, value.value)) continue;
        problems.add(fmt::format("{} is {}, but {} allows {}", option->second.key, in_quotes(value.value), plugin->name,
                                 listed(allowed)),
                     value.place, did_you_mean(value.value, allowed) + fmt::format("set {} to one of these", name));
      }
    }
  }
}

double count_settings(const OptionAxes& options, const PluginInfo& plugin) {
  double count = 1;
  for (const auto& [name, option] : options)
    if (plugin.options.contains(name)) count *= static_cast<double>(option.axis.values.size());
  return count;
}

std::vector<std::map<std::string, std::string>> option_settings(const OptionAxes& options, const PluginInfo& plugin) {
  std::vector<std::map<std::string, std::string>> settings{{}};
  for (const auto& [name, option] : options) {
    if (!plugin.options.contains(name)) continue;
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& setting : settings)
      for (const auto& value : option.axis.values) {
        longer.push_back(setting);
        longer.back()[name] = value.value;
      }
    settings = std::move(longer);
  }
  return settings;
}

}  // namespace shardbench
