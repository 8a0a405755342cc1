#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/catalogue.hpp"
#include "suite/load.hpp"

namespace shardbench {

inline PluginInfo plugin_info(PluginKind kind, std::string name,
                              std::map<std::string, std::vector<std::string>> options = {}) {
  PluginInfo info;
  info.kind = kind;
  info.name = std::move(name);
  info.options = std::move(options);
  return info;
}

/// The plugins of this repository by name, with options enough to try everything.
inline Catalogue test_catalogue() {
  return Catalogue::of({plugin_info(PluginKind::comm, "gloo", {{"mode", {"sync", "async"}}, {"port", {"*"}}}),
                        plugin_info(PluginKind::strategy, "ddp"),
                        plugin_info(PluginKind::strategy, "zero1", {{"partition", {"greedy", "flat"}}}),
                        plugin_info(PluginKind::strategy, "zero2"), plugin_info(PluginKind::strategy, "zero3"),
                        plugin_info(PluginKind::schedule, "gpipe"), plugin_info(PluginKind::schedule, "1f1b")});
}

/// The parts of a suite of one [[training]] table, in its line 5, as TOML text.
struct TrainingKeys {
  std::string strategy = "\"ddp\"", world = "2", model = "\"m\"";
  std::string more = {};  ///< further keys, and tables after it, from line 9
};

inline std::string training(const TrainingKeys& keys = {}) {
  return "schema = 1\n[model.m]\nlayers = 4\nwidth = 8\n[[training]]\nstrategy = " + keys.strategy +
         "\nworld = " + keys.world + "\nmodel = " + keys.model + "\n" + keys.more;
}

/// The parts of a suite of one [[pipeline]] table, in its line 5.
struct PipelineKeys {
  std::string schedule = "\"1f1b\"", world = "2", horizon = "4", model = "\"m\"";
  std::string more = {};  ///< from line 10
};

inline std::string pipeline(const PipelineKeys& keys = {}) {
  return "schema = 1\n[model.m]\nlayers = 4\nwidth = 8\n[[pipeline]]\nschedule = " + keys.schedule +
         "\nworld = " + keys.world + "\nmodel = " + keys.model + "\nhorizon = " + keys.horizon + "\n" + keys.more;
}

/// A suite whose [model.m], in line 2, has these keys, from line 3.
inline std::string with_model(const std::string& keys) {
  return "schema = 1\n[model.m]\n" + keys + "[[training]]\nstrategy = \"ddp\"\nworld = 2\nmodel = \"m\"\n";
}

inline std::string replaced(std::string text, std::string_view part, std::string_view by) {
  return text.replace(text.find(part), part.size(), by);
}

inline Suite parse(std::string_view text) { return parse_suite(text, "suite.toml", test_catalogue()); }

inline std::vector<std::string> ids_of(const Suite& suite) {
  std::vector<std::string> ids;
  for (const auto& c : suite.cases) ids.push_back(c.id);
  return ids;
}

}  // namespace shardbench
