#include "suite/case_id.hpp"

#include <fmt/format.h>

namespace shardbench {

std::string case_id(const Case& c, std::string_view optimizer_name) {
  std::string id = c.study.empty() ? "" : c.study + "/";
  const bool collective = c.program == Program::collective;
  id += fmt::format("{}/{}/{}", name_of(c.program), c.subject(), c.backend);
  if (!collective) id += fmt::format("/{}", c.model.name);
  id += fmt::format("/world={}", c.world);
  if (c.program == Program::training) id += "/unit=" + name_of(c.unit);
  if (c.program == Program::pipeline) id += fmt::format("/horizon={}", c.horizon);
  if (collective && c.operation && has_array(*c.operation)) id += fmt::format("/bytes={}", size_text(c.bytes));
  if (collective && c.reduction != ReduceOp::sum) id += fmt::format("/{}", name_of(c.reduction));
  if (collective && c.values != Values::exact) id += fmt::format("/{}", name_of(c.values));
  if (collective && c.in_place) id += "/in_place";
  if (!collective && c.optimize) id += fmt::format("/{}", optimizer_name);
  if (c.dtype != DType::float32) id += fmt::format("/{}", name_of(c.dtype));
  for (const auto* options : {&c.options, &c.backend_options})
    for (const auto& [name, value] : *options) id += fmt::format("/{}={}", name, value);
  return id;
}

}  // namespace shardbench
