#include "suite/schema.hpp"

#include <fmt/format.h>

#include <limits>

namespace shardbench {

bool check_schema(TableReader& top, Problems& problems) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto schema = top.one("schema", IntegerReader{Limits::min(), Limits::max()});
  if (!schema.given) {
    problems.add(fmt::format("{} has no schema, but schema = {} is needed", top.label(), suite_schema),
                 {top.place().file}, fmt::format("write schema = {} in its first line", suite_schema));
  } else if (schema.value && *schema.value != suite_schema) {
    problems.add(
        fmt::format("schema is {}, but this version of Shardbench reads schema {}", *schema.value, suite_schema),
        schema.place,
        fmt::format("set schema = {} and follow docs/suites.md, or use a version that reads schema {}", suite_schema,
                    *schema.value));
    return false;
  }
  return true;
}

}  // namespace shardbench
