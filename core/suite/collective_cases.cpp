#include "suite/collective_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/case_id.hpp"
#include "suite/option_axes.hpp"

namespace shardbench {
namespace {

Collective operation_of(const std::string& name) { return collective_named(name).value_or(Collective::barrier); }

template <class Predicate>
bool any_operation(const Settings& table, Predicate predicate) {
  return std::ranges::any_of(table.subject.values,
                             [&](const auto& operation) { return predicate(operation_of(operation.value)); });
}

/// Reports a key that no operation of the table can use.
void check_use(bool given, bool used, std::string_view key, const Place& place, Problems& problems) {
  if (given && !used)
    problems.add(fmt::format("{} is given, but no operation of the table has one", key), place,
                 fmt::format("remove {}, or add an operation that has one", key));
}

void check_elements(const Settings& table, Problems& problems) {
  for (const auto& bytes : table.bytes.values)
    for (const auto& dtype : table.dtype.values) {
      const auto size = static_cast<std::int64_t>(size_of(dtype.value));
      const std::int64_t rest = bytes.value % size, below = bytes.value - rest;
      if (rest == 0) continue;
      problems.add(
          fmt::format("bytes is {}, but an element of {} has {} bytes", bytes.value, name_of(dtype.value), size),
          bytes.place, fmt::format("set bytes to {}{}", below == 0 ? "" : fmt::format("{} or ", below), below + size));
    }
}

/// all_to_all has blocks of one size.
void check_blocks(const Settings& table, Problems& problems) {
  for (const auto& world : table.world.values)
    for (const auto& bytes : table.bytes.values)
      for (const auto& dtype : table.dtype.values) {
        const auto size = static_cast<std::int64_t>(size_of(dtype.value));
        if (bytes.value % size != 0 || bytes.value / size % world.value == 0) continue;
        const std::int64_t whole = size * world.value;
        problems.add(fmt::format("bytes is {}, so {} elements of {}, but all_to_all gives each of {} ranks as many",
                                 bytes.value, bytes.value / size, name_of(dtype.value), world.value),
                     bytes.place,
                     fmt::format("set bytes to a multiple of {}, or give all_to_all a table of its own", whole));
      }
}

}  // namespace

TablePlugins check_collective(const Settings& table, const Catalogue& catalogue, Problems& problems) {
  require(table.subject.given, "operation", table, "\"all_reduce\"", problems);
  require(table.world.given, "world", table, "2", problems);
  const bool arrays = any_operation(table, has_array), good_operations = !table.subject.values.empty();
  if (arrays) require(table.bytes.given, "bytes", table, "\"64 KiB\"", problems);
  if (good_operations) {
    check_use(table.bytes.given, arrays, "bytes", table.bytes.place, problems);
    check_use(table.reduction.given, any_operation(table, reduces), "reduction", table.reduction.place, problems);
  }

  TablePlugins plugins;
  plugins.backends = find_plugins(table.backend, PluginKind::comm, "backend", catalogue, problems);
  plugins.backends_known = !plugins.backends.empty() && plugins.backends.size() == table.backend.values.size();
  check_values(table.backend_options, plugins.backends, problems);

  if (arrays) check_elements(table, problems);
  if (any_operation(table, [](Collective operation) { return operation == Collective::all_to_all; }))
    check_blocks(table, problems);
  if (any_operation(table, [](Collective operation) { return operation == Collective::send; }))
    for (const auto& world : table.world.values)
      if (world.value < 2)
        problems.add("world is 1, but send needs another rank", world.place,
                     "set world = 2 or more, or give send a table of its own");
  return plugins;
}

double count_collective(const Settings& table, const TablePlugins& plugins) {
  const auto size = [](const auto& axis) { return static_cast<double>(axis.values.size()); };
  double backends = 0, arrays = 0;
  for (const auto* plugin : plugins.backends) backends += count_settings(table.backend_options, *plugin);
  for (const auto& operation : table.subject.values) {
    const Collective c = operation_of(operation.value);
    arrays += has_array(c) ? size(table.bytes) * size(table.dtype) * (reduces(c) ? size(table.reduction) : 1) : 1;
  }
  return arrays * size(table.world) * backends;
}

std::vector<Case> expand_collective(Case c, const Settings& table, const TablePlugins& plugins) {
  std::vector<Case> cases;
  const auto add_backends = [&] {
    for (const auto* backend : plugins.backends) {
      c.backend = backend->name;
      for (const auto& options : option_settings(table.backend_options, *backend)) {
        c.backend_options = options;
        c.id = case_id(c, "");
        cases.push_back(c);
      }
    }
  };
  const auto add_sizes = [&] {
    for (const auto& bytes : table.bytes.values) {
      c.bytes = static_cast<std::uint64_t>(bytes.value);
      add_backends();
    }
  };
  for (const auto& operation : table.subject.values) {
    c.operation = operation_of(operation.value);
    for (const auto& world : table.world.values) {
      c.world = static_cast<int>(world.value);
      c.dtype = DType::float32;
      c.reduction = ReduceOp::sum;
      c.bytes = 0;
      if (!has_array(*c.operation)) {
        add_backends();
        continue;
      }
      for (const auto& dtype : table.dtype.values) {
        c.dtype = dtype.value;
        if (!reduces(*c.operation)) {
          add_sizes();
          continue;
        }
        for (const auto& reduction : table.reduction.values) {
          c.reduction = reduction_named(reduction.value).value_or(ReduceOp::sum);
          add_sizes();
        }
      }
    }
  }
  return cases;
}

}  // namespace shardbench
