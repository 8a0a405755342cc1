#include "suite/table_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "suite/option_axes.hpp"
#include "suite/toml_text.hpp"

namespace shardbench {

void require(bool given, std::string_view key, const Settings& table, std::string_view example, Problems& problems) {
  if (given) return;
  problems.add(fmt::format("[[{}]] has no {}", table.table, key), table.place,
               fmt::format("set {} = {}, here or in [defaults]", key, example));
}

std::vector<const PluginInfo*> find_plugins(const Axis<std::string>& axis, PluginKind kind, std::string_view what,
                                            const Catalogue& catalogue, Problems& problems) {
  std::vector<const PluginInfo*> plugins;
  for (const auto& name : axis.values) {
    if (const auto* plugin = catalogue.find(kind, name.value)) {
      plugins.push_back(plugin);
      continue;
    }
    const auto names = catalogue.names(kind);
    problems.add(fmt::format("{} is {}, but no plugin of that name was found", what, in_quotes(name.value)), name.place,
                 did_you_mean(name.value, names) + "found: " + listed(names) +
                     " (`shardbench list` says where, and what was refused)");
  }
  return plugins;
}

namespace {

void check_optimizers(const Settings& table, Program program, const Definitions& definitions, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [name, spec] : definitions.optimizers) known.push_back(name);
  if (program == Program::pipeline) known.emplace_back("none");
  for (const auto& name : table.optimizer.values) {
    if (program == Program::training && name.value == "none") {
      problems.add("optimizer is \"none\", but a training step has an update", name.place,
                   "set optimizer to one of: " + listed(known));
    } else if (std::find(known.begin(), known.end(), name.value) == known.end()) {
      problems.add(fmt::format("optimizer is {}, but no [optimizer.NAME] has that name", in_quotes(name.value)),
                   name.place, did_you_mean(name.value, known) + "there are: " + listed(known));
    }
  }
}

/// Models by name, and that a batch of activations is countable.
void check_models(const Settings& table, const Definitions& definitions, std::int64_t batch, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [name, spec] : definitions.models) known.push_back(name);
  for (const auto& name : table.model.values) {
    const auto model = definitions.models.find(name.value);
    if (model == definitions.models.end()) {
      problems.add(fmt::format("model is {}, but no [model.NAME] has that name", in_quotes(name.value)), name.place,
                   did_you_mean(name.value, known) + "there are: " + listed(known));
    } else if (model->second) {
      const auto widest = *std::max_element(model->second->widths.begin(), model->second->widths.end());
      if (batch > most_elements / widest)
        problems.add(fmt::format("batch is {} and the widest layer of model {} is {}: more than {} elements (2^31 - 1)",
                                 batch, name.value, widest, most_elements),
                     table.batch.given ? table.batch.place : table.place, "make the batch smaller");
    }
  }
}

void check_stages(const Settings& table, const Definitions& definitions, Problems& problems) {
  for (const auto& name : table.model.values) {
    const auto model = definitions.models.find(name.value);
    if (model == definitions.models.end() || !model->second) continue;
    const int layers = model->second->layers();
    for (const auto& world : table.world.values)
      if (world.value > layers)
        problems.add(fmt::format("world is {}, so {} stages, but model {} has {} layers", world.value, world.value,
                                 name.value, layers),
                     world.place,
                     fmt::format("set world = {} or less, or give the model {} layers", layers, world.value));
  }
}

/// "4 or 8": the divisors of `batch` on both sides of `horizon`.
std::string nearest_divisors(std::int64_t batch, std::int64_t horizon) {
  std::int64_t below = 1, above = batch;
  const auto look_at = [&](std::int64_t divisor) {
    if (divisor < horizon) below = std::max(below, divisor);
    if (divisor > horizon) above = std::min(above, divisor);
  };
  for (std::int64_t d = 1; d <= batch / d; ++d) {
    if (batch % d != 0) continue;
    look_at(d);
    look_at(batch / d);
  }
  return horizon > batch ? fmt::format("{}", batch) : fmt::format("{} or {}", below, above);
}

void check_horizons(const Settings& table, std::int64_t batch, Problems& problems) {
  for (const auto& horizon : table.horizon.values) {
    const std::int64_t h = horizon.value;
    if (batch % h == 0) continue;
    const std::int64_t fewer = batch / h * h;
    problems.add(fmt::format("horizon is {}, but it does not divide the batch of {} rows", h, batch), horizon.place,
                 fmt::format("set horizon to {}, or batch to {}{}", nearest_divisors(batch, h),
                             fewer == 0 ? "" : fmt::format("{} or ", fewer), fewer + h));
  }
}

}  // namespace

TablePlugins check_table(const Settings& table, Program program, const Names& names, Problems& problems) {
  const bool training = program == Program::training;
  const std::string_view what = training ? "strategy" : "schedule";
  require(table.subject.given, what, table, training ? "\"ddp\"" : "\"1f1b\"", problems);
  require(table.world.given, "world", table, "2", problems);
  require(table.model.given, "model", table, "\"NAME\" of a [model.NAME]", problems);
  if (!training) require(table.horizon.given, "horizon", table, "4", problems);

  TablePlugins plugins;
  plugins.subjects = find_plugins(table.subject, training ? PluginKind::strategy : PluginKind::schedule, what,
                                  names.catalogue, problems);
  plugins.backends = find_plugins(table.backend, PluginKind::comm, "backend", names.catalogue, problems);
  plugins.subjects_known = !plugins.subjects.empty() && plugins.subjects.size() == table.subject.values.size();
  plugins.backends_known = !plugins.backends.empty() && plugins.backends.size() == table.backend.values.size();
  check_values(table.options, plugins.subjects, problems);
  check_values(table.backend_options, plugins.backends, problems);

  check_optimizers(table, program, names.definitions, problems);
  // A bad batch has been reported: 0 rows fit every horizon and model, so it is not reported again.
  const std::int64_t batch = table.batch.bad() ? 0 : table.batch.value.value_or(Case{}.batch);
  check_models(table, names.definitions, batch, problems);
  if (!training) {
    check_stages(table, names.definitions, problems);
    check_horizons(table, batch, problems);
  }
  return plugins;
}

}  // namespace shardbench
