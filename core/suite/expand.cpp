#include "suite/expand.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "suite/case_id.hpp"
#include "suite/option_axes.hpp"
#include "suite/toml_text.hpp"

namespace shardbench {
namespace {

template <class T>
void fall_back(Axis<T>& axis, T value, const Place& place) {
  if (!axis.given) axis.values = {{std::move(value), place}};
}

/// The definition of that name if it is there and good.
template <class Spec>
const Spec* good(const std::map<std::string, std::optional<Spec>>& definitions, const std::string& name) {
  const auto found = definitions.find(name);
  return found != definitions.end() && found->second ? &*found->second : nullptr;
}

/// Adds the inner axes (model and on) to cases of which all outer ones are set.
void expand_inner(Case c, const Settings& table, const Names& names, const PluginInfo& subject,
                  const PluginInfo& backend, std::vector<Case>& cases) {
  for (const auto& model : table.model.values) {
    const auto* spec = good(names.definitions.models, model.value);
    if (spec == nullptr) continue;
    c.model = *spec;
    for (const auto& optimizer : table.optimizer.values) {
      const auto* update = good(names.definitions.optimizers, optimizer.value);
      c.optimize = optimizer.value != "none";
      if (c.optimize && update == nullptr) continue;
      c.optimizer = c.optimize ? *update : OptimizerSpec{};
      for (const auto& dtype : table.dtype.values) {
        c.dtype = dtype.value;
        for (const auto& options : option_settings(table.options, subject)) {
          c.options = options;
          for (const auto& backend_options : option_settings(table.backend_options, backend)) {
            c.backend_options = backend_options;
            c.id = case_id(c, optimizer.value);
            cases.push_back(c);
          }
        }
      }
    }
  }
}

}  // namespace

Case common_case(const Settings& table, Program program) {
  Case c;
  c.program = program;
  c.study = table.name.value.value_or("");
  if (program == Program::collective) {
    c.optimize = false;
    c.batch = 0;
    c.steps = 1;
    c.warmup = 2;
    c.iterations = 20;
  }
  c.batch = table.batch.value.value_or(c.batch);
  c.steps = static_cast<int>(table.steps.value.value_or(c.steps));
  c.warmup = static_cast<int>(table.warmup.value.value_or(c.warmup));
  c.iterations = static_cast<int>(table.iterations.value.value_or(c.iterations));
  c.launches = static_cast<int>(table.launches.value.value_or(c.launches));
  c.seed = static_cast<std::uint64_t>(table.seed.value.value_or(0));
  c.deadline_s = table.deadline_s.value.value_or(c.deadline_s);
  if (table.expect.value) c.expect = *table.expect.value == "diverged" ? Expect::diverged : Expect::ok;
  c.place = table.place;
  return c;
}

Settings complete(Settings table, Program program) {
  const Case defaults;
  fall_back(table.backend, defaults.backend, table.place);
  fall_back(table.unit, name_of(defaults.unit), table.place);
  fall_back(table.optimizer, std::string(program == Program::training ? "adamw" : "none"), table.place);
  fall_back(table.dtype, defaults.dtype, table.place);
  fall_back(table.reduction, std::string(name_of(defaults.reduction)), table.place);
  fall_back(table.values, std::string(name_of(defaults.values)), table.place);
  fall_back(table.in_place, defaults.in_place, table.place);
  return table;
}

double count_cases(const Settings& table, const TablePlugins& plugins) {
  const auto size = [](const auto& axis) { return static_cast<double>(axis.values.size()); };
  const double inner = size(table.world) * (table.table == "training" ? size(table.unit) : size(table.horizon)) *
                       size(table.model) * size(table.optimizer) * size(table.dtype);
  double subjects = 0, backends = 0;
  for (const auto* plugin : plugins.subjects) subjects += count_settings(table.options, *plugin);
  for (const auto* plugin : plugins.backends) backends += count_settings(table.backend_options, *plugin);
  return inner * subjects * backends;
}

std::vector<Case> expand(const Settings& table, Program program, const Names& names, const TablePlugins& plugins) {
  std::vector<Case> cases;
  Case c = common_case(table, program);
  for (const auto* subject : plugins.subjects) {
    (program == Program::training ? c.strategy : c.schedule) = subject->name;
    for (const auto* backend : plugins.backends) {
      c.backend = backend->name;
      for (const auto& world : table.world.values) {
        c.world = static_cast<int>(world.value);
        if (program == Program::training) {
          for (const auto& unit : table.unit.values) {
            c.unit = unit.value == "root" ? UnitPolicy::root : UnitPolicy::layer;
            expand_inner(c, table, names, *subject, *backend, cases);
          }
        } else {
          for (const auto& horizon : table.horizon.values) {
            c.horizon = static_cast<int>(horizon.value);
            expand_inner(c, table, names, *subject, *backend, cases);
          }
        }
      }
    }
  }
  return cases;
}

void check_ids(const std::vector<Case>& cases, Problems& problems) {
  std::map<std::string, Place> first;
  for (const auto& c : cases) {
    const auto [found, is_new] = first.emplace(c.id, c.place);
    if (!is_new)
      problems.add(fmt::format("two cases have the id {}: one from line {}, one from line {}", c.id, found->second.line,
                               c.place.line),
                   c.place,
                   "give the two tables different names (name = \"...\"), or remove the case from one of them");
  }
}

}  // namespace shardbench
