#include "control/json.hpp"

namespace shardbench {

using nlohmann::json;

// Each struct's fields, once, for both directions.
#define SHARDBENCH_JSON(Type, ...) SHARDBENCH_JSON_AS(Type, to_json, from_json, __VA_ARGS__)
#define SHARDBENCH_JSON_AS(Type, to, from, ...)                                \
  void to(json& j, const Type& value) {                                        \
    const Type& nlohmann_json_t = value;                                       \
    json& nlohmann_json_j = j;                                                 \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  void from(const json& j, Type& value) {                                      \
    const json& nlohmann_json_j = j;                                           \
    Type& nlohmann_json_t = value;                                             \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }

SHARDBENCH_JSON(OperationTraffic, calls, payload_bytes, sent_bytes, received_bytes)
SHARDBENCH_JSON(WireClaim, sent_bytes, without_law)
SHARDBENCH_JSON(Law, weights, gradients, optimizer, peak, traffic, equal_on_all_ranks)
SHARDBENCH_JSON(SavedTensors, peak, peak_bytes, saved, consumed, saved_before_first_use, unique_peak_bytes, alive_after)
SHARDBENCH_JSON(Peak, bytes, by_role, moment)
SHARDBENCH_JSON(PhasePeak, phase, by_role)
SHARDBENCH_JSON(Difference, compared, max_abs, max_tolerated_ratio, bitwise, where, known_mistake, multiple, exact,
                step)
SHARDBENCH_JSON(NotFinite, step, where, value)
SHARDBENCH_JSON(BufferCheck, checked_elements, wrong_elements, first_wrong, input_elements, changed_elements,
                first_changed, guard_bytes_written, first_guard, mismatched_messages, first_mismatched, sum_digests,
                changed_sums, first_changed_sum, barrier_ns)
SHARDBENCH_JSON(HeapReport, at_rest, step_growth, step_peak, timed_growth, anonymous_growth, held)
SHARDBENCH_JSON(StageTime, stage, forward, backward, input, weight)
SHARDBENCH_JSON(StepTime, step, forward, backward, communication, update, idle, stages)
SHARDBENCH_JSON(Span, name, start, end)

void to_json(json& j, const Traffic& t) { j = t.operations; }
void from_json(const json& j, Traffic& t) { j.get_to(t.operations); }

void to_json(json& j, const Action& a) { j = json::array({static_cast<int>(a.kind), a.stage, a.microbatch}); }
void from_json(const json& j, Action& a) {
  a = {static_cast<ActionKind>(j.at(0).get<int>()), j.at(1).get<int>(), j.at(2).get<int>()};
}

void to_json(json& j, const Plan& p) {
  j = {{"placement", p.placement}, {"ranks", json::array()}};
  for (const auto& rank : p.ranks) j["ranks"].push_back(rank.actions);
}
void from_json(const json& j, Plan& p) {
  p = {};
  j.at("placement").get_to(p.placement);
  for (const auto& rank : j.at("ranks")) rank.get_to(p.ranks.emplace_back().actions);
}

namespace {

SHARDBENCH_JSON_AS(RankReport, plain_fields_to, plain_fields_from, rank, weights_bytes, gradients_bytes,
                   optimizer_bytes, held_storage_bytes, live_at_rest, peak, phases, saved, alive_before_step,
                   alive_after_step, traffic, wire_claim, losses, rows_hashes, reference_rows_hashes, optimizer_steps,
                   parameters_hash, loss_difference, parameters_difference, gradients_difference, refused_gradient,
                   gradient_pieces, law, predicted_saved_peak, predicted_saved_peak_bytes, predicted_saved_total,
                   predicted_activations_bytes, activations_bytes, executed_in_flight, executed_in_flight_until_weight,
                   executed, buffers, timed_buffers, algorithm, timed, heap, vm_hwm_bytes, backend)
SHARDBENCH_JSON_AS(TimedPart, plain_fields_to, plain_fields_from, steps, traffic, alive_before, alive_after,
                   optimizer_steps, parameters_hash, parameters_difference)

template <class Value>
void optional_to(json& j, const char* key, const std::optional<Value>& value) {
  j[key] = value ? json(*value) : json();
}
template <class Value>
void optional_from(const json& j, const char* key, std::optional<Value>& value) {
  value.reset();
  if (const json& field = j.at(key); !field.is_null()) value = field.get<Value>();
}

}  // namespace

void to_json(json& j, const TimedPart& t) {
  plain_fields_to(j, t);
  optional_to(j, "not_finite", t.not_finite);
  optional_to(j, "reference_not_finite", t.reference_not_finite);
  optional_to(j, "bytes_on_wire", t.bytes_on_wire);
}

void from_json(const json& j, TimedPart& t) {
  plain_fields_from(j, t);
  optional_from(j, "not_finite", t.not_finite);
  optional_from(j, "reference_not_finite", t.reference_not_finite);
  optional_from(j, "bytes_on_wire", t.bytes_on_wire);
}

void to_json(json& j, const RankReport& r) {
  plain_fields_to(j, r);
  optional_to(j, "bytes_on_wire", r.bytes_on_wire);
  optional_to(j, "not_finite", r.not_finite);
  optional_to(j, "reference_not_finite", r.reference_not_finite);
}

void from_json(const json& j, RankReport& r) {
  plain_fields_from(j, r);
  optional_from(j, "bytes_on_wire", r.bytes_on_wire);
  optional_from(j, "not_finite", r.not_finite);
  optional_from(j, "reference_not_finite", r.reference_not_finite);
}

}  // namespace shardbench
