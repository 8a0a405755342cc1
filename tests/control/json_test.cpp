#include "control/json.hpp"

#include <gtest/gtest.h>

#include "control/channel.hpp"

namespace shardbench {
namespace {

/// A report in which every field has a value of its own.
RankReport full_report() {
  std::uint64_t next = 1000;
  RankReport r;
  r.rank = 3;
  for (auto* field : {&r.weights_bytes, &r.gradients_bytes, &r.optimizer_bytes, &r.held_storage_bytes,
                      &r.alive_before_step, &r.alive_after_step, &r.parameters_hash, &r.predicted_saved_peak,
                      &r.predicted_saved_peak_bytes, &r.predicted_saved_total, &r.vm_hwm_bytes})
    *field = next++;
  r.parameters_hash = ~std::uint64_t{0};  // more than a double holds
  for (auto& bytes : r.live_at_rest) bytes = next++;
  r.peak = {next++, {1, 2, 3, 4, 5, 6}, "backward of unit 3"};
  r.phases = {{"forward unit 0", {6, 5, 4, 3, 2, 1}}, {"update", {}}};
  r.saved = {11, 12, 13, 14, 15, 16, 17};
  for (auto& o : r.traffic.operations) o = {next++, next++, next++, next++};
  r.bytes_on_wire = next++;
  r.losses = {0.1, -2.5e-17};
  r.rows_hashes = {~std::uint64_t{0} - 1, 0};
  r.loss_difference = {true, 1e-9, 0.5, false, "step 1"};
  r.parameters_difference = {true, 0, 0, true, ""};
  r.gradients_difference = {false, 3, 4, false, "layer3.weight[17]"};
  r.gradient_pieces = {{0, 10}, {20, 30}};
  r.law = {1, 2, 3, 4, r.traffic, false};
  r.executed_in_flight = 4;
  r.executed = {"2F0", "2B0"};
  r.wire_claim = {next++, "all_reduce by 'own'"};
  r.buffers = {1, 2,           "output[1]", 3, 4,        "input[2]",       5, "1 bytes after",
               6, "message 1", {7, 8},      9, "call 3", {{-6, 7}, {8, 9}}};
  r.timed_buffers = {11, 12,          "output[3]", 13, 14,       "input[4]", 15, "2 bytes before",
                     16, "message 2", {17},        18, "call 4", {}};
  r.algorithm = "ring";
  r.timed = {5, r.traffic, next++, next++, next++, {6, 7}, ~std::uint64_t{0} - 2, {}, {}, {}};
  r.timed.parameters_difference = {true, 1e-7, 0.25, false, "layer0.bias[3]", 0, 0, false, 9};
  r.timed.not_finite = NotFinite{9, "layer0.bias[3]", "nan"};
  r.heap = {-1, 2, -3, 4, 5, -6};
  r.backend = {{"library", "gloo"}, {"version", "0.5.0"}};
  return r;
}

void expect_equal(const Difference& a, const Difference& b) {
  EXPECT_EQ(a.compared, b.compared);
  EXPECT_EQ(a.max_abs, b.max_abs);
  EXPECT_EQ(a.max_tolerated_ratio, b.max_tolerated_ratio);
  EXPECT_EQ(a.bitwise, b.bitwise);
  EXPECT_EQ(a.where, b.where);
}

/// Over the wire and back.
template <class T>
T sent(const T& value) {
  return decode(encode(Message(value)).substr(4)).get<T>();
}

TEST(ReportJson, RoundTripOfTheMemory) {
  const RankReport r = full_report(), got = sent(r);
  EXPECT_EQ(got.rank, r.rank);
  EXPECT_EQ(got.weights_bytes, r.weights_bytes);
  EXPECT_EQ(got.gradients_bytes, r.gradients_bytes);
  EXPECT_EQ(got.optimizer_bytes, r.optimizer_bytes);
  EXPECT_EQ(got.held_storage_bytes, r.held_storage_bytes);
  EXPECT_EQ(got.live_at_rest, r.live_at_rest);
  EXPECT_EQ(got.peak.bytes, r.peak.bytes);
  EXPECT_EQ(got.peak.by_role, r.peak.by_role);
  EXPECT_EQ(got.peak.moment, r.peak.moment);
  ASSERT_EQ(got.phases.size(), 2u);
  EXPECT_EQ(got.phases[0].phase, "forward unit 0");
  EXPECT_EQ(got.phases[0].by_role, r.phases[0].by_role);
  EXPECT_EQ(got.alive_before_step, r.alive_before_step);
  EXPECT_EQ(got.alive_after_step, r.alive_after_step);
  EXPECT_EQ(got.vm_hwm_bytes, r.vm_hwm_bytes);
}

TEST(ReportJson, RoundTripOfTheTimedPartAndTheHeap) {
  RankReport r = full_report();
  const RankReport got = sent(r);
  EXPECT_EQ(got.timed.steps, 5u);
  EXPECT_EQ(got.timed.traffic.operations, r.timed.traffic.operations);
  EXPECT_EQ(got.timed.bytes_on_wire, r.timed.bytes_on_wire);
  EXPECT_EQ(got.timed.alive_before, r.timed.alive_before);
  EXPECT_EQ(got.timed.alive_after, r.timed.alive_after);
  EXPECT_EQ(got.timed.optimizer_steps, r.timed.optimizer_steps);
  EXPECT_EQ(got.timed.parameters_hash, r.timed.parameters_hash);
  expect_equal(got.timed.parameters_difference, r.timed.parameters_difference);
  ASSERT_TRUE(got.timed.not_finite);
  EXPECT_EQ(got.timed.not_finite->where, "layer0.bias[3]");
  EXPECT_FALSE(got.timed.reference_not_finite);
  EXPECT_EQ(got.heap.at_rest, -1);
  EXPECT_EQ(got.heap.step_growth, 2);
  EXPECT_EQ(got.heap.step_peak, -3);
  EXPECT_EQ(got.heap.timed_growth, 4);
  EXPECT_EQ(got.heap.anonymous_growth, 5);
  EXPECT_EQ(got.heap.held, -6);
  r.timed.bytes_on_wire.reset();
  EXPECT_EQ(sent(r).timed.bytes_on_wire, std::nullopt);
}

TEST(ReportJson, RoundTripOfSavedTensorsAndTraffic) {
  const RankReport r = full_report(), got = sent(r);
  EXPECT_EQ(got.saved.peak, 11u);
  EXPECT_EQ(got.saved.peak_bytes, 12u);
  EXPECT_EQ(got.saved.saved, 13u);
  EXPECT_EQ(got.saved.consumed, 14u);
  EXPECT_EQ(got.saved.saved_before_first_use, 15u);
  EXPECT_EQ(got.saved.unique_peak_bytes, 16u);
  EXPECT_EQ(got.saved.alive_after, 17u);
  EXPECT_EQ(got.traffic, r.traffic);
  EXPECT_EQ(got.bytes_on_wire, r.bytes_on_wire);
}

TEST(ReportJson, RoundTripOfCorrectnessAndClaims) {
  const RankReport r = full_report(), got = sent(r);
  EXPECT_EQ(got.losses, r.losses);
  EXPECT_EQ(got.rows_hashes, r.rows_hashes);
  EXPECT_EQ(got.parameters_hash, r.parameters_hash);
  expect_equal(got.loss_difference, r.loss_difference);
  expect_equal(got.parameters_difference, r.parameters_difference);
  expect_equal(got.gradients_difference, r.gradients_difference);
  EXPECT_EQ(got.gradient_pieces, r.gradient_pieces);
  EXPECT_EQ(got.law.weights, 1u);
  EXPECT_EQ(got.law.gradients, 2u);
  EXPECT_EQ(got.law.optimizer, 3u);
  EXPECT_EQ(got.law.peak, 4u);
  EXPECT_EQ(got.law.traffic, r.traffic);
  EXPECT_FALSE(got.law.equal_on_all_ranks);
  EXPECT_EQ(got.predicted_saved_peak, r.predicted_saved_peak);
  EXPECT_EQ(got.predicted_saved_peak_bytes, r.predicted_saved_peak_bytes);
  EXPECT_EQ(got.predicted_saved_total, r.predicted_saved_total);
  EXPECT_EQ(got.executed_in_flight, r.executed_in_flight);
  EXPECT_EQ(got.executed, r.executed);
  EXPECT_EQ(got.buffers.wrong_elements, 2u);
  EXPECT_EQ(got.buffers.first_guard, "1 bytes after");
  EXPECT_EQ(got.buffers.barrier_ns, r.buffers.barrier_ns);
  EXPECT_EQ(got.algorithm, "ring");
  EXPECT_EQ(got.backend, r.backend);
}

// A field that one direction forgets is lost here, whatever the tests above look at.
TEST(ReportJson, SecondRoundTripHasTheSameText) {
  const Message once = full_report();
  EXPECT_EQ(Message(once.get<RankReport>()), once);
}

TEST(ReportJson, UnknownWireBytesStayUnknown) {
  RankReport r = full_report();
  r.bytes_on_wire.reset();
  EXPECT_FALSE(sent(r).bytes_on_wire.has_value());
}

TEST(ReportJson, AMissingFieldIsAnError) {
  Message message = full_report();
  message.erase("law");
  EXPECT_THROW(message.get<RankReport>(), nlohmann::json::exception);
}

TEST(StepTimeJson, RoundTrip) {
  const StepTime got = sent(StepTime{1e-3, 2e-4, 3e-4, 4e-4, 5e-4});
  EXPECT_EQ(got.step, 1e-3);
  EXPECT_EQ(got.forward, 2e-4);
  EXPECT_EQ(got.backward, 3e-4);
  EXPECT_EQ(got.communication, 4e-4);
  EXPECT_EQ(got.update, 5e-4);
}

TEST(PlanJson, RoundTrip) {
  Plan plan{{1, 0}, {}};
  plan.ranks.emplace_back().backward_weight(1, 7);
  plan.ranks.emplace_back().actions.push_back({ActionKind::recv_backward, 0, 65535});
  const Plan got = sent(plan);
  EXPECT_EQ(got.placement, plan.placement);
  EXPECT_EQ(got.ranks, plan.ranks);
}

}  // namespace
}  // namespace shardbench
