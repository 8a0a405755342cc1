#include "result/column_tables.hpp"
#include "result/parameter_count.hpp"
#include "result/step_times.hpp"

namespace shardbench {
namespace {

/// What the pipeline's plan gives, beside what was counted; empty for training.
Column planned(std::string_view name, std::string_view unit, std::string_view meaning, Column::Value value) {
  return {.name = name, .unit = unit, .source = "simulator", .meaning = meaning, .of_rank = value};
}

template <double StepTime::*what>
Cell phase_median(const Row& row) {
  const auto median = median_of_medians(rank_times(row.result, row.rank, what));
  return median ? Cell{*median} : Cell{};
}

Column phase(std::string_view name, std::string_view meaning, Column::Value value) {
  return {.name = name, .unit = "s", .source = "clock", .meaning = meaning, .of_rank = value};
}

/// The same for a case and for each of its ranks.
Column setting(std::string_view name, std::string_view unit, std::string_view source, std::string_view meaning,
               Column::Value value) {
  return {.part = Part::setting,
          .name = name,
          .unit = unit,
          .source = source,
          .meaning = meaning,
          .of_rank = value,
          .of_case = value};
}

bool has_an_array(const Row& row) { return row.result.spec.operation && has_array(*row.result.spec.operation); }

/// A fact that the first rank that reported told of its backend.
std::string told(const Row& row, const char* fact) {
  if (!row.result.has_report()) return {};
  const auto& backend = row.result.ranks().front().backend;
  const auto it = backend.find(fact);
  return it == backend.end() ? std::string{} : it->second;
}

std::string joined(const std::map<std::string, std::string>& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += (text.empty() ? "" : "; ") + name + ' ' + value;
  return text;
}

}  // namespace

std::vector<Column> prediction_columns() {
  return {
      counted("held_storage_bytes", "bytes", "holdings", "bytes of the distinct storages behind the holdings",
              [](const Row& r) -> Cell { return collective(r) ? Cell{} : Cell{r.report().held_storage_bytes}; }),
      counted("live_at_rest_bytes", "bytes", "allocator",
              "weights, gradients and optimizer alive between steps, as the allocator counts them",
              [](const Row& r) -> Cell {
                if (collective(r)) return {};
                const auto& live = r.report().live_at_rest;
                return live[static_cast<std::size_t>(Role::weights)] + live[static_cast<std::size_t>(Role::gradients)] +
                       live[static_cast<std::size_t>(Role::optimizer)];
              }),
      counted("saved_unique_peak_bytes", "bytes", "saved tensors",
              "most bytes alive in distinct saved storages that are not parameters",
              [](const Row& r) -> Cell { return collective(r) ? Cell{} : Cell{r.report().saved.unique_peak_bytes}; }),
      planned("predicted_saved_peak", "count", "saved_peak by the simulated plan (pipeline)",
              [](const Row& r) -> Cell { return pipeline(r) ? Cell{r.report().predicted_saved_peak} : Cell{}; }),
      planned("predicted_saved_peak_bytes", "bytes", "saved_peak_bytes by the simulated plan (pipeline)",
              [](const Row& r) -> Cell { return pipeline(r) ? Cell{r.report().predicted_saved_peak_bytes} : Cell{}; }),
      planned("predicted_saved_total", "count", "saved_total by the simulated plan (pipeline)",
              [](const Row& r) -> Cell { return pipeline(r) ? Cell{r.report().predicted_saved_total} : Cell{}; }),
      counted("in_flight", "count", "program",
              "most microbatches whose forward ran and whose backward did not (pipeline)",
              [](const Row& r) -> Cell {
                return pipeline(r) ? Cell{static_cast<std::uint64_t>(r.report().executed_in_flight)} : Cell{};
              }),
      planned("predicted_in_flight", "count", "in_flight by the schedule's law (pipeline)",
              [](const Row& r) -> Cell {
                const auto& law = r.result.schedule.law_in_flight;
                return pipeline(r) && r.rank < law.size() ? Cell{static_cast<std::uint64_t>(law[r.rank])} : Cell{};
              }),
      counted("wire_bytes", "bytes", "backend",
              "payload the backend handed to its transport in one step, where it tells",
              [](const Row& r) -> Cell {
                const auto& bytes = r.report().bytes_on_wire;
                return bytes ? Cell{*bytes} : Cell{};
              }),
      phase("forward_s", "forward, as step_median_s", phase_median<&StepTime::forward>),
      phase("backward_s", "backward, as step_median_s", phase_median<&StepTime::backward>),
      phase("communication_s", "inside the backend, as step_median_s; may overlap the others",
            phase_median<&StepTime::communication>),
      phase("update_s", "optimizer, as step_median_s", phase_median<&StepTime::update>),
      {.name = "invariants_not_run",
       .unit = "count",
       .source = "checks",
       .meaning = "invariants that could not be checked; results.json tells why",
       .of_case = [](const Row& r) -> Cell { return std::uint64_t{count_of(r.result, Verdict::not_run)}; }},
      {.name = "wall_s",
       .unit = "s",
       .source = "clock",
       .meaning = "the whole case: starting the ranks, checked and timed steps, checks",
       .of_case = [](const Row& r) -> Cell { return r.result.wall_s; }},
  };
}

std::vector<Column> setting_columns() {
  return {
      setting("study", "", "suite", "name of the table in the suite",
              [](const Row& r) -> Cell { return r.result.spec.study; }),
      setting("parameters", "count", "suite", "elements of all parameters of the model",
              [](const Row& r) -> Cell { return collective(r) ? Cell{} : Cell{parameter_count(r.result.spec.model)}; }),
      setting("batch", "count", "suite", "rows: per rank and step (training), of the whole step (pipeline)",
              [](const Row& r) -> Cell {
                return collective(r) ? Cell{} : Cell{static_cast<std::uint64_t>(r.result.spec.batch)};
              }),
      setting("comm_library", "", "backend", "library and version",
              [](const Row& r) -> Cell {
                const auto library = told(r, "library"), version = told(r, "version");
                return version.empty() ? library : library + ' ' + version;
              }),
      setting("wait_mode", "", "backend", "how a rank waits for its peers",
              [](const Row& r) -> Cell { return told(r, "wait_mode"); }),
      setting("oversubscribed", "", "environment", "`yes` where there were more ranks than cores",
              [](const Row& r) -> Cell {
                if (!r.environment) return {};
                return std::string(r.environment->oversubscribed(r.result.spec.world) ? "yes" : "no");
              }),
      setting("cpu", "", "environment", "model of the processor",
              [](const Row& r) -> Cell { return r.environment ? Cell{r.environment->cpu} : Cell{}; }),
      setting("cores", "count", "environment", "cores the run may use",
              [](const Row& r) -> Cell {
                return r.environment ? Cell{static_cast<std::uint64_t>(r.environment->cores)} : Cell{};
              }),
      setting("threads_per_rank", "count", "environment", "threads that compute in each rank",
              [](const Row& r) -> Cell {
                if (!r.environment || r.environment->threads_per_rank == 0) return {};
                return static_cast<std::uint64_t>(r.environment->threads_per_rank);
              }),
      setting("kernel", "", "environment", "operating system kernel",
              [](const Row& r) -> Cell { return r.environment ? Cell{r.environment->kernel} : Cell{}; }),
      setting("libraries", "", "environment", "names and versions of the libraries that compute",
              [](const Row& r) -> Cell { return r.environment ? Cell{joined(r.environment->libraries)} : Cell{}; }),
      setting("commit", "", "environment", "commit of Shardbench; `-dirty` where the source differed from it",
              [](const Row& r) -> Cell {
                if (!r.environment) return {};
                return r.environment->commit_text();
              }),
      setting("environment", "", "environment",
              "digest of the whole environment: equal where nothing of it differs; results.json spells it out",
              [](const Row& r) -> Cell { return r.environment ? Cell{r.environment->digest()} : Cell{}; }),
      setting("array_bytes", "bytes", "suite", "the whole array, not a rank's part of it (collective)",
              [](const Row& r) -> Cell { return has_an_array(r) ? Cell{r.result.spec.bytes} : Cell{}; }),
      setting("reduction", "", "suite", "`sum`, `max` or `min` (collective that reduces)",
              [](const Row& r) -> Cell {
                const auto& operation = r.result.spec.operation;
                return operation && reduces(*operation) ? Cell{std::string(name_of(r.result.spec.reduction))} : Cell{};
              }),
      setting("algorithm", "", "backend", "what the backend uses for that operation and size (collective)",
              [](const Row& r) -> Cell {
                if (!collective(r) || !r.result.has_report()) return {};
                return r.result.ranks().front().algorithm;
              }),
      setting(
          "unoptimized_plugins", "", "descriptor",
          "plugins of the case that were compiled without optimization: its times are not what one wants to compare",
          [](const Row& r) -> Cell { return r.result.unoptimized.empty() ? Cell{} : Cell{r.result.unoptimized}; }),
      setting("injected", "", "command line", "what `run --inject` planted: the row is no measurement of its case",
              [](const Row& r) -> Cell { return r.result.injected; }),
  };
}

}  // namespace shardbench
