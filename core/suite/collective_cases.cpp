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

bool sums_floats(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float64 || dtype == DType::bfloat16 || dtype == DType::float16;
}

/// Sums of integers do not round, nor does the largest or smallest of some numbers.
void check_rounding(const Settings& table, Problems& problems) {
  for (const auto& values : table.values.values) {
    if (values.value != name_of(Values::rounding)) continue;
    const auto refuse = [&](std::string_view what, std::string_view key) {
      problems.add(fmt::format("values is \"rounding\", but {} is never rounded", what), values.place,
                   fmt::format("give it a table of its own, without \"{}\" in {}", what, key));
    };
    for (const auto& dtype : table.dtype.values)
      if (!sums_floats(dtype.value)) refuse(name_of(dtype.value), "dtype");
    for (const auto& reduction : table.reduction.values)
      if (reduction.value != name_of(ReduceOp::sum)) refuse(reduction.value, "reduction");
  }
}

/// A message needs somebody to go to.
void check_peers(const Settings& table, Problems& problems) {
  for (const auto& operation : table.subject.values)
    for (const auto& world : table.world.values)
      if (needs_a_peer(operation_of(operation.value)) && world.value < 2)
        problems.add(fmt::format("world is 1, but {} needs another rank", operation.value), world.place,
                     fmt::format("set world = 2 or more, or give {} a table of its own", operation.value));
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
    check_use(table.values.given, any_operation(table, reduces), "values", table.values.place, problems);
    check_use(table.in_place.given, any_operation(table, may_be_in_place), "in_place", table.in_place.place, problems);
  }

  TablePlugins plugins;
  plugins.backends = find_plugins(table.backend, PluginKind::comm, "backend", catalogue, problems);
  plugins.backends_known = !plugins.backends.empty() && plugins.backends.size() == table.backend.values.size();
  check_values(table.backend_options, plugins.backends, problems);

  if (arrays) check_elements(table, problems);
  if (any_operation(table, [](Collective operation) { return operation == Collective::all_to_all; }))
    check_blocks(table, problems);
  check_rounding(table, problems);
  check_peers(table, problems);
  return plugins;
}

double count_collective(const Settings& table, const TablePlugins& plugins) {
  const auto size = [](const auto& axis) { return static_cast<double>(axis.values.size()); };
  double backends = 0, arrays = 0;
  for (const auto* plugin : plugins.backends) backends += count_settings(table.backend_options, *plugin);
  for (const auto& operation : table.subject.values) {
    const Collective c = operation_of(operation.value);
    if (!has_array(c)) {
      arrays += 1;
      continue;
    }
    const double sums = reduces(c) ? size(table.reduction) * size(table.values) : 1;
    arrays += size(table.bytes) * size(table.dtype) * sums * (may_be_in_place(c) ? size(table.in_place) : 1);
  }
  return arrays * size(table.world) * backends;
}

namespace {

/// What a case of the operation has of an axis: all of its values, or only the default where it means nothing there.
template <class Value>
std::vector<Value> values_of(const Axis<Value>& axis, bool used, Value otherwise) {
  if (!used) return {std::move(otherwise)};
  std::vector<Value> values;
  for (const auto& value : axis.values) values.push_back(value.value);
  return values;
}

void add_backends(Case c, const Settings& table, const TablePlugins& plugins, std::vector<Case>& cases) {
  for (const auto* backend : plugins.backends) {
    c.backend = backend->name;
    for (const auto& options : option_settings(table.backend_options, *backend)) {
      c.backend_options = options;
      c.id = case_id(c, "");
      cases.push_back(c);
    }
  }
}

}  // namespace

std::vector<Case> expand_collective(Case c, const Settings& table, const TablePlugins& plugins) {
  std::vector<Case> cases;
  for (const auto& operation : table.subject.values) {
    c.operation = operation_of(operation.value);
    const bool array = has_array(*c.operation), sums = reduces(*c.operation), both = may_be_in_place(*c.operation);
    for (const auto& world : table.world.values) {
      c.world = static_cast<int>(world.value);
      for (const DType dtype : values_of(table.dtype, array, DType::float32))
        for (const auto& reduction : values_of(table.reduction, sums, std::string(name_of(ReduceOp::sum))))
          for (const auto& values : values_of(table.values, sums, std::string(name_of(Values::exact))))
            for (const bool in_place : values_of(table.in_place, both, false))
              for (const std::int64_t bytes : values_of(table.bytes, array, std::int64_t{0})) {
                c.dtype = dtype;
                c.reduction = reduction_named(reduction).value_or(ReduceOp::sum);
                c.values = values == name_of(Values::rounding) ? Values::rounding : Values::exact;
                c.in_place = in_place;
                c.bytes = static_cast<std::uint64_t>(bytes);
                add_backends(c, table, plugins, cases);
              }
    }
  }
  return cases;
}

}  // namespace shardbench
