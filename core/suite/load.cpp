#include "suite/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "suite/collective_cases.hpp"
#include "suite/definitions.hpp"
#include "suite/expand.hpp"
#include "suite/gate_table.hpp"
#include "suite/option_axes.hpp"
#include "suite/problems.hpp"
#include "suite/reference.hpp"
#include "suite/schema.hpp"
#include "suite/settings.hpp"
#include "suite/toml_text.hpp"

namespace shardbench {
namespace {

std::filesystem::path beside(const std::filesystem::path& suite, const std::string& path) {
  return (suite.parent_path() / path).lexically_normal();
}

std::vector<std::string> read_plugins(TableReader& top, const std::filesystem::path& file, Problems& problems) {
  std::vector<std::string> paths;
  auto plugins = top.table("plugins");
  if (!plugins) return paths;
  for (const auto& path : plugins->list("path", TextReader{}).values) {
    const auto full = beside(file, path.value);
    if (std::error_code code; !std::filesystem::exists(full, code))
      problems.add(
          fmt::format("plugins.path has {}, but {} does not exist", in_quotes(path.value), in_quotes(full.string())),
          path.place, "build the plugin first, or correct the path: it is relative to the suite's folder");
    paths.push_back(full.string());
  }
  plugins->finish();
  return paths;
}

std::string read_name(TableReader& top, const std::filesystem::path& file, Problems& problems) {
  const auto name = top.one("name", NameReader{});
  const std::string stem = file.stem().string();
  if (!name.given && !is_plain_key(stem))
    problems.add(fmt::format("the file's name {} cannot be the suite's: it has other characters than {}",
                             in_quotes(stem), plain_name_rule),
                 {file.string()}, "set name = \"...\"");
  return name.value.value_or(stem);
}

/// Expands one table after the other, with what they share.
class TableExpander {
 public:
  TableExpander(Settings defaults, Names names, Problems& problems)
      : defaults_(std::move(defaults)), names_(names), problems_(problems) {}

  void add(const Settings& table, Program program) {
    const Settings full = complete(with_defaults(table, defaults_), program);
    const TablePlugins plugins = check_table(full, program, names_, problems_);
    if (plugins.subjects_known)
      check_declared(table.options, plugins.subjects, program == Program::training ? "strategy" : "schedule",
                     problems_);
    if (plugins.backends_known) check_declared(table.backend_options, plugins.backends, "backend", problems_);
    remember(plugins);
    if (room_for(count_cases(full, plugins), table.place))
      std::ranges::move(expand(full, program, names_, plugins), std::back_inserter(cases_));
  }

  void add_collective(const Settings& table) {
    const Settings full = complete(with_defaults(table, defaults_), Program::collective);
    const TablePlugins plugins = check_collective(full, names_.catalogue, problems_);
    if (plugins.backends_known) check_declared(table.backend_options, plugins.backends, "backend", problems_);
    remember(plugins);
    if (room_for(count_collective(full, plugins), table.place))
      std::ranges::move(expand_collective(common_case(full, Program::collective), full, plugins),
                        std::back_inserter(cases_));
  }

  /// After the last table: an option in [defaults] has to be of use to one of them.
  std::vector<Case> finish() && {
    if (all_.subjects_known && !all_.subjects.empty())
      check_declared(defaults_.options, all_.subjects, "strategy or schedule", problems_);
    if (all_.backends_known && !all_.backends.empty())
      check_declared(defaults_.backend_options, all_.backends, "backend", problems_);
    check_ids(cases_, problems_);
    return std::move(cases_);
  }

 private:
  /// Counts the cases of one more table, and reports it where they are too many.
  bool room_for(double cases, const Place& place) {
    count_ += cases;
    if (count_ <= most_cases) return true;
    problems_.add(fmt::format("the suite has at least {:.0f} cases, but {:.0f} are the most", count_, most_cases),
                  place, "split it into several suites");
    return false;
  }

  void remember(const TablePlugins& plugins) {
    const auto take_up = [](std::vector<const PluginInfo*>& all, const std::vector<const PluginInfo*>& more) {
      for (const auto* plugin : more)
        if (std::ranges::find(all, plugin) == all.end()) all.push_back(plugin);
    };
    take_up(all_.subjects, plugins.subjects);
    take_up(all_.backends, plugins.backends);
    all_.subjects_known = all_.subjects_known && plugins.subjects_known;
    all_.backends_known = all_.backends_known && plugins.backends_known;
  }

  Settings defaults_;
  Names names_;
  Problems& problems_;
  std::vector<Case> cases_;
  TablePlugins all_;
  double count_ = 0;
};

std::vector<Case> read_cases(TableReader& top, const Names& names, Problems& problems) {
  Settings defaults;
  if (auto reader = top.table("defaults")) defaults = read_defaults(std::move(*reader));
  TableExpander expander(std::move(defaults), names, problems);
  for (auto& reader : top.tables("training")) expander.add(read_training(std::move(reader)), Program::training);
  for (auto& reader : top.tables("pipeline")) expander.add(read_pipeline(std::move(reader)), Program::pipeline);
  for (auto& reader : top.tables("collective")) expander.add_collective(read_collective(std::move(reader), problems));
  return std::move(expander).finish();
}

void read_reference(const Setting<std::string>& key, Suite& suite, const std::filesystem::path& file,
                    Problems& problems) {
  if (!key.value) return;
  const auto path = beside(file, *key.value);
  suite.reference_file = path.string();
  try {
    suite.expectations = load_reference(path, suite.cases, problems.count() == 0, problems);
  } catch (const Error& error) {  // collected with the others, at the key that names the file
    problems.add(error.problem(), key.place, error.cure() + "; the path is relative to the suite's folder");
  }
}

}  // namespace

Suite parse_suite(std::string_view text, const std::filesystem::path& file, const Catalogue& catalogue) {
  Problems problems;
  Suite suite;
  suite.file = file.string();
  if (const auto toml = parse_toml(text, suite.file, problems)) {
    TableReader top(*toml, "the suite", "", suite.file, problems);
    if (check_schema(top, problems)) {
      suite.name = read_name(top, file, problems);
      const auto reference = top.one("reference", TextReader{});
      suite.phases = top.one("phases", BooleanReader{}).value.value_or(false);
      suite.plugin_path = read_plugins(top, file, problems);
      const Definitions definitions = read_definitions(top, problems);
      suite.cases = read_cases(top, {definitions, catalogue}, problems);
      read_gate(top);
      top.finish();
      if (suite.cases.empty() && problems.count() == 0)
        problems.add("the suite has no case", {suite.file}, "add a [[training]], [[pipeline]] or [[collective]] table");
      for (auto& c : suite.cases) c.suite = suite.name;
      read_reference(reference, suite, file, problems);
    }
  }
  problems.throw_if_any(suite.file);
  return suite;
}

Suite load_suite(const std::filesystem::path& file, const Catalogue& catalogue) {
  return parse_suite(read_text(file, "suite"), file, catalogue);
}

Gate parse_gate(std::string_view text, const std::filesystem::path& file) {
  Problems problems;
  const auto toml = parse_toml(text, file.string(), problems);
  problems.throw_if_any(file.string());
  TableReader top(*toml, "the suite", "", file.string(), problems);
  return read_gate(top);
}

Gate load_gate(const std::filesystem::path& file) { return parse_gate(read_text(file, "suite"), file); }

std::vector<std::string> read_plugin_path(const std::filesystem::path& file) {
  Problems problems;
  const auto toml = parse_toml(read_text(file, "suite"), file.string(), problems);
  problems.throw_if_any(file.string());
  TableReader top(*toml, "the suite", "", file.string(), problems);
  return read_plugins(top, file, problems);
}

}  // namespace shardbench
