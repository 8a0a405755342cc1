#include "cli/inputs.hpp"

#include <set>

#include "plugin/search.hpp"
#include "result/quantities.hpp"
#include "result/recorded_run.hpp"
#include "shardbench/error.hpp"
#include "suite/load.hpp"

namespace shardbench {

namespace fs = std::filesystem;

std::vector<fs::path> suite_folders() { return {"suites", executable_folder() / "../share/shardbench/suites"}; }

fs::path find_suite(const fs::path& named) {
  if (fs::exists(named) || named.has_parent_path()) return named;
  for (const fs::path& folder : suite_folders())
    for (const char* ending : {"", ".toml"})
      if (const fs::path file = folder / (named.string() + ending); fs::is_regular_file(file))
        return file.lexically_normal();
  return named;  // load_suite says that it is not there
}

namespace {

/// That what its [gate] names is counted or timed.
void check_gate(const Gate& gate, const fs::path& file) {
  std::string judged;
  for (const Column& column : columns())
    if (column.counted || is_launch_time(column.name))
      judged += (judged.empty() ? "" : ", ") + std::string(column.name);
  for (const auto& [name, metric] : gate.metrics) {
    const Column* column = find_column(name);
    if (column == nullptr || !(column->counted || is_launch_time(name)))
      throw Error("gate.metric." + name + " names no column that a comparison judges", file.string(),
                  "these are: " + judged);
  }
}

}  // namespace

Inputs read_inputs(const Arguments& arguments) {
  std::vector<fs::path> files, plugin_paths;
  for (const fs::path& named : arguments.suites) {
    files.push_back(find_suite(named));
    for (const std::string& path : read_plugin_path(files.back())) plugin_paths.emplace_back(path);
  }
  Inputs inputs{Catalogue(default_search(arguments.plugins, plugin_paths)), {}, {}};
  std::set<std::string> ids;
  for (const fs::path& file : files) {
    const Suite& suite = inputs.suites.emplace_back(load_suite(file, inputs.catalogue));
    check_gate(inputs.gates.emplace_back(load_gate(file)), file);
    for (const Case& c : suite.cases) {
      if (!ids.insert(c.id).second)
        throw Error("case '" + c.id + "' is in two of the suites", c.place.text(), "give the tables different names");
      if (c.program == Program::pipeline)
        inputs.pipelines.emplace(c.id, predict_schedule(c, inputs.catalogue, *inputs.host));
    }
  }
  return inputs;
}

}  // namespace shardbench
