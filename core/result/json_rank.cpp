#include "result/json_rank.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace shardbench {

using nlohmann::ordered_json;

namespace {

ordered_json roles_json(const RoleBytes& bytes) {
  ordered_json roles = ordered_json::object();
  roles.get_ref<ordered_json::object_t&>().reserve(role_count);
  for (std::size_t i = 0; i < role_count; ++i) append(roles, name_of(static_cast<Role>(i)), bytes[i]);
  return roles;
}

ordered_json difference_json(const Difference& d) {
  if (!d.compared) return nullptr;
  return {{"max_abs", d.max_abs},
          {"max_tolerated_ratio", d.max_tolerated_ratio},
          {"bitwise", d.bitwise},
          {"where", d.where},
          {"exact", d.exact},
          {"step", d.step},
          {"known_mistake", d.known_mistake},
          {"multiple", d.multiple}};
}

ordered_json not_finite_json(const std::optional<NotFinite>& n) {
  if (!n) return nullptr;
  return {{"step", n->step}, {"where", n->where}, {"value", n->value}};
}

ordered_json law_json(const Law& law) {
  return {{"weights_bytes", law.weights},         {"gradients_bytes", law.gradients},
          {"optimizer_bytes", law.optimizer},     {"peak_bytes", law.peak},
          {"traffic", traffic_json(law.traffic)}, {"equal_on_all_ranks", law.equal_on_all_ranks}};
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

ordered_json hash_texts(const std::vector<std::uint64_t>& hashes) {
  ordered_json texts = ordered_json::array();
  for (const auto hash : hashes) texts.push_back(hash_text(hash));
  return texts;
}

ordered_json buffers_json(const BufferCheck& b) {
  return {{"checked_elements", b.checked_elements},
          {"wrong_elements", b.wrong_elements},
          {"first_wrong", b.first_wrong},
          {"input_elements", b.input_elements},
          {"changed_elements", b.changed_elements},
          {"first_changed", b.first_changed},
          {"guard_bytes_written", b.guard_bytes_written},
          {"first_guard", b.first_guard},
          {"mismatched_messages", b.mismatched_messages},
          {"first_mismatched", b.first_mismatched},
          {"changed_sums", b.changed_sums},
          {"first_changed_sum", b.first_changed_sum},
          {"sum_digests", hash_texts(b.sum_digests)},
          {"barrier_ns", b.barrier_ns}};
}

ordered_json timed_json(const TimedPart& t) {
  ordered_json wire = nullptr;
  if (t.bytes_on_wire) wire = *t.bytes_on_wire;
  return {{"steps", t.steps},
          {"traffic", traffic_json(t.traffic)},
          {"wire_bytes", std::move(wire)},
          {"alive_before_bytes", t.alive_before},
          {"alive_after_bytes", t.alive_after},
          {"optimizer_steps", t.optimizer_steps},
          {"parameters_hash", hash_text(t.parameters_hash)},
          {"parameters_difference", difference_json(t.parameters_difference)},
          {"not_finite", not_finite_json(t.not_finite)},
          {"reference_not_finite", not_finite_json(t.reference_not_finite)}};
}

}  // namespace

void append(ordered_json& object, std::string_view key, ordered_json value) {
  object.get_ref<ordered_json::object_t&>().emplace_back(std::string(key), std::move(value));
}

ordered_json cell_json(const Cell& cell) {
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return *count;
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  if (const auto* words = std::get_if<std::string>(&cell)) return *words;
  return nullptr;
}

ordered_json traffic_json(const Traffic& traffic) {
  ordered_json operations = ordered_json::object();
  for (std::size_t i = 0; i < operation_count; ++i) {
    const auto& t = traffic.operations[i];
    if (t == OperationTraffic{}) continue;
    append(operations, name_of(static_cast<Operation>(i)),
           {{"calls", t.calls},
            {"payload_bytes", t.payload_bytes},
            {"sent_bytes", t.sent_bytes},
            {"received_bytes", t.received_bytes}});
  }
  return operations;
}

ordered_json rank_json(const Row& row) {
  const RankReport& r = row.report();
  ordered_json json = {{"rank", r.rank}};
  ordered_json& quantities = json["quantities"] = ordered_json::object();
  quantities.get_ref<ordered_json::object_t&>().reserve(columns().size());
  for (const auto& column : columns())
    if (column.part == Part::quantity && column.of_rank)
      append(quantities, column.name, cell_json(rank_cell(column, row)));
  json["live_at_rest"] = roles_json(r.live_at_rest);
  json["peak"] = {{"moment", r.peak.moment}, {"by_role", roles_json(r.peak.by_role)}};
  ordered_json& phases = json["phases"] = ordered_json::array();
  for (const auto& phase : r.phases) {
    ordered_json& entry = phases.emplace_back(ordered_json::object());
    append(entry, "phase", phase.phase);
    append(entry, "by_role", roles_json(phase.by_role));
  }
  json["saved_alive_after"] = r.saved.alive_after;
  json["alive_before_step_bytes"] = r.alive_before_step;
  json["alive_after_step_bytes"] = r.alive_after_step;
  json["traffic"] = traffic_json(r.traffic);
  json["losses"] = r.losses;
  json["rows_hashes"] = hash_texts(r.rows_hashes);
  json["reference_rows_hashes"] = hash_texts(r.reference_rows_hashes);
  json["optimizer_steps"] = r.optimizer_steps;
  json["parameters_hash"] = hash_text(r.parameters_hash);
  json["loss_difference"] = difference_json(r.loss_difference);
  json["parameters_difference"] = difference_json(r.parameters_difference);
  json["gradients_difference"] = difference_json(r.gradients_difference);
  json["not_finite"] = not_finite_json(r.not_finite);
  json["reference_not_finite"] = not_finite_json(r.reference_not_finite);
  json["refused_gradient"] = r.refused_gradient;
  json["gradient_pieces"] = r.gradient_pieces;
  if (row.result.spec.program == Program::training || row.result.spec.program == Program::pipeline)
    json["law"] = law_json(r.law);
  if (row.result.spec.program == Program::pipeline) json["executed"] = r.executed;
  if (row.result.spec.program == Program::collective) {
    json["buffers"] = buffers_json(r.buffers);
    json["timed_buffers"] = buffers_json(r.timed_buffers);
    json["algorithm"] = r.algorithm;
  }
  json["wire_claim"] = {{"sent_bytes", r.wire_claim.sent_bytes}, {"without_law", r.wire_claim.without_law}};
  json["timed"] = timed_json(r.timed);
  json["backend"] = r.backend;
  return json;
}

}  // namespace shardbench
