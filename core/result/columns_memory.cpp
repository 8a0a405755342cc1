#include "result/column_tables.hpp"

namespace shardbench {
namespace {

/// A number that a law gives for every rank.
Column predicted(std::string_view name, std::string_view unit, std::string_view source, std::string_view meaning,
                 Column::Value value) {
  return {.name = name, .unit = unit, .source = source, .meaning = meaning, .of_rank = value};
}

/// A number of a model's training; a collective has none.
template <class Number>
Cell of_model(const Row& row, Number number) {
  return collective(row) ? Cell{} : Cell{std::uint64_t{number}};
}

/// A rank of it states what it keeps and needs.
bool has_memory_law(const Row& row) { return training(row) || pipeline(row); }

std::uint64_t total_of(const RankReport& r) { return r.weights_bytes + r.gradients_bytes + r.optimizer_bytes; }

Cell machine_total(const Row& row) {
  if (!row.result.has_report() || collective(row)) return {};
  std::uint64_t sum = 0;
  for (const auto& report : row.result.ranks()) sum += total_of(report);
  return sum;
}

Cell predicted_sent(const Row& row) {
  if (training(row) || collective(row)) return row.report().law.traffic.sent_bytes();
  const auto& traffic = row.result.schedule.traffic;
  return row.rank < traffic.size() ? Cell{traffic[row.rank].sent_bytes()} : Cell{};
}

}  // namespace

std::vector<Column> memory_columns() {
  return {
      counted("weights_bytes", "bytes", "holdings", "parameters, or the rank's shard of them, between steps",
              [](const Row& r) { return of_model(r, r.report().weights_bytes); }),
      counted("gradients_bytes", "bytes", "holdings", "gradients, or the rank's shard of them, between steps",
              [](const Row& r) { return of_model(r, r.report().gradients_bytes); }),
      counted("optimizer_bytes", "bytes", "holdings", "state of the optimizer, AdamW's 4-byte `step` tensors included",
              [](const Row& r) { return of_model(r, r.report().optimizer_bytes); }),
      counted("total_bytes", "bytes", "holdings", "weights, gradients and optimizer together",
              [](const Row& r) { return of_model(r, total_of(r.report())); }),
      predicted("predicted_total_bytes", "bytes", "law", "what the law gives for total_bytes",
                [](const Row& r) -> Cell { return has_memory_law(r) ? Cell{r.report().law.total()} : Cell{}; }),
      {.name = "machine_total_bytes",
       .unit = "bytes",
       .source = "holdings",
       .meaning = "total_bytes of all ranks together",
       .of_case = machine_total},
      counted("peak_bytes", "bytes", "allocator", "most bytes alive at once inside the audit step",
              [](const Row& r) -> Cell { return r.report().peak.bytes; }),
      predicted("predicted_peak_bytes", "bytes", "law", "what the law gives for peak_bytes",
                [](const Row& r) -> Cell { return has_memory_law(r) ? Cell{r.report().law.peak} : Cell{}; }),
      counted("saved_peak", "count", "saved tensors",
              "most tensors saved for backward alive at once, every save counted, parameters and repeats too",
              [](const Row& r) { return of_model(r, r.report().saved.peak); }),
      counted("saved_peak_bytes", "bytes", "saved tensors", "most bytes of them alive at once, counted the same way",
              [](const Row& r) { return of_model(r, r.report().saved.peak_bytes); }),
      counted("saved_total", "count", "saved tensors", "tensors saved in the step",
              [](const Row& r) { return of_model(r, r.report().saved.saved); }),
      counted("saved_consumed", "count", "saved tensors", "saved tensors that backward used",
              [](const Row& r) { return of_model(r, r.report().saved.consumed); }),
      counted("saved_before_first_use", "count", "saved tensors", "tensors saved before the first one was used",
              [](const Row& r) { return of_model(r, r.report().saved.saved_before_first_use); }),
      counted("sent_bytes", "bytes", "communicator",
              "payload sent by the rank in one step, by the algorithm's law per call",
              [](const Row& r) -> Cell { return r.report().traffic.sent_bytes(); }),
      predicted("predicted_sent_bytes", "bytes", "law",
                "what the strategy's law, the schedule's plan or the operation's law gives for sent_bytes",
                predicted_sent),
  };
}

std::vector<Column> role_columns() {
  const auto role = [](std::string_view name, std::string_view meaning, Column::Value value) {
    Column column = counted(name, "bytes", "allocator", meaning, value);
    column.ranks_only = true;
    return column;
  };
  std::vector<Column> all = {
      role("peak_weights_bytes", "weights at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::weights)]; }),
      role("peak_gradients_bytes", "gradients at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::gradients)]; }),
      role("peak_optimizer_bytes", "optimizer state at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::optimizer)]; }),
      role("peak_activations_bytes", "activations at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::activations)]; }),
      role("peak_communication_bytes", "communication buffers at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::communication)]; }),
      role("peak_temporary_bytes", "everything else at the moment of peak_bytes",
           [](const Row& r) -> Cell { return r.report().peak.by_role[static_cast<std::size_t>(Role::temporary)]; }),
  };
  all.push_back({.name = "vm_hwm_bytes",
                 .unit = "bytes",
                 .source = "kernel",
                 .meaning = "most resident memory of the process so far (VmHWM), libraries included",
                 .of_rank = [](const Row& r) -> Cell { return r.report().vm_hwm_bytes; },
                 .ranks_only = true});
  return all;
}

}  // namespace shardbench
