#include "plugin/loaded.hpp"

#include <string_view>

#include "plugin/descriptor.hpp"
#include "plugin/library.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

bool has_entry_points(const PluginDescriptor& d) {
  switch (d.kind) {
    case PluginKind::comm:
      return d.create_comm != nullptr && d.destroy_comm != nullptr &&
             (std::string_view(d.launcher) == "mpirun") == (d.mpirun_arguments != nullptr);
    case PluginKind::strategy:
      return d.create_strategy != nullptr && d.destroy_strategy != nullptr && d.strategy_law != nullptr;
    case PluginKind::schedule: return d.schedule_plan != nullptr && d.schedule_law != nullptr;
  }
  return false;
}

}  // namespace

LoadedPlugin::LoadedPlugin(const PluginInfo& info)
    : library_(load_library(info.file, "the loader refuses " + name_of(info.kind) + " '" + info.name + "'",
                            "link the plugin to every library that it uses (-Wl,-z,defs finds what is missing)")) {
  if (!library_.has(plugin_symbol))
    throw Error("it no longer exports " + std::string(plugin_symbol), info.file.string(),
                "do not replace a plugin's file during a run");
  const auto& descriptor = library_.get<const PluginDescriptor>(plugin_symbol);
  match_descriptor(descriptor, info.file);
  if (descriptor.kind != info.kind || descriptor.name != info.name)
    throw Error("its file held " + name_of(info.kind) + " '" + info.name + "', but what was loaded is " +
                    name_of(descriptor.kind) + " '" + descriptor.name + "'",
                info.file.string(), "do not replace a plugin's file during a run");
  if (!has_entry_points(descriptor))
    throw Error("its descriptor lacks an entry point of a " + name_of(info.kind), info.file.string(),
                "write the descriptor with the macros of shardbench/plugin.hpp");
  descriptor_ = &descriptor;
}

}  // namespace shardbench
