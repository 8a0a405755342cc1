#include "result/column_tables.hpp"

namespace shardbench {
namespace {

Column identity(std::string_view name, std::string_view source, std::string_view meaning, Column::Value value) {
  return {
      .part = Part::identity, .name = name, .source = source, .meaning = meaning, .of_rank = value, .of_case = value};
}

/// Of the first rank that reported: the ranks of a group use one transport.
Cell transport(const Row& row) {
  if (!row.result.has_report()) return {};
  const auto& backend = row.result.ranks().front().backend;
  const auto it = backend.find("transport");
  return it == backend.end() ? Cell{} : Cell{it->second};
}

bool runs(const Row& row, Program program) { return row.result.spec.program == program; }

}  // namespace

std::vector<Column> identity_columns() {
  std::vector<Column> all = {
      identity("case", "suite", "id of the case, the same on every machine and in every run",
               [](const Row& r) -> Cell { return r.result.spec.id; }),
      identity("program", "suite",
               "what the ranks run: `training` (a strategy), `pipeline` (a schedule) or `collective` (an operation)",
               [](const Row& r) -> Cell { return name_of(r.result.spec.program); }),
      identity("strategy", "suite", "sharding strategy (training)",
               [](const Row& r) -> Cell { return r.result.spec.strategy; }),
      identity("schedule", "suite", "pipeline schedule (pipeline)",
               [](const Row& r) -> Cell { return r.result.spec.schedule; }),
      identity(
          "operation", "suite", "what the backend is asked for (collective)",
          [](const Row& r) -> Cell { return runs(r, Program::collective) ? Cell{r.result.spec.subject()} : Cell{}; }),
      identity("backend", "suite", "communication backend", [](const Row& r) -> Cell { return r.result.spec.backend; }),
      identity("transport", "backend", "what the bytes travelled over, as the backend tells", transport),
      identity("world", "suite", "number of ranks",
               [](const Row& r) -> Cell { return static_cast<std::uint64_t>(r.result.spec.world); }),
      identity("horizon", "suite", "microbatches per step (pipeline)",
               [](const Row& r) -> Cell {
                 if (!runs(r, Program::pipeline)) return {};
                 return static_cast<std::uint64_t>(r.result.spec.horizon);
               }),
      identity("model", "suite", "name of the model in the suite",
               [](const Row& r) -> Cell { return r.result.spec.model.name; }),
      identity("unit", "suite",
               "what is gathered and released together: `root` (the whole model) or `layer` (training)",
               [](const Row& r) -> Cell {
                 return runs(r, Program::training) ? name_of(r.result.spec.unit) : std::string{};
               }),
      identity("optimizer", "suite", "optimizer, or `none` where the step has no update",
               [](const Row& r) -> Cell {
                 if (runs(r, Program::collective)) return std::string{};
                 return r.result.spec.optimize ? std::string(name_of(r.result.spec.optimizer.kind))
                                               : std::string("none");
               }),
      identity("dtype", "suite", "element type of parameters and data, or of the array",
               [](const Row& r) -> Cell { return std::string(name_of(r.result.spec.dtype)); }),
      identity("options", "suite", "options of the strategy or schedule and of the backend, `name=value`",
               [](const Row& r) -> Cell { return r.result.spec.options_text(); }),
      identity("status", "driver", "`ok`, `failed` (an invariant), `crashed`, `timeout` or `skipped`",
               [](const Row& r) -> Cell { return name_of(r.result.status); }),
      identity("detail", "driver", "the fault, or the first failed invariant with its numbers",
               [](const Row& r) -> Cell { return detail_line(r.result); }),
  };
  all.push_back({.part = Part::rank_number,
                 .name = "rank",
                 .source = "driver",
                 .meaning = "number of the rank, from 0",
                 .of_rank = [](const Row& r) -> Cell { return static_cast<std::uint64_t>(r.report().rank); },
                 .ranks_only = true});
  return all;
}

}  // namespace shardbench
