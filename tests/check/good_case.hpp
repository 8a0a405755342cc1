#pragma once
#include <string>

#include "result/case_result.hpp"

/// Synthetic cases on which every invariant holds; a test breaks one number of them.

namespace shardbench::testing {

/// zero2 with AdamW on 8 x Linear(256,256): the notebook's numbers at world 2. Other worlds keep them.
inline CaseResult good_training(int world = 2, int launches = 1) {
  CaseResult result;
  result.status = Status::ok;
  result.wall_s = 0.25;
  Case& spec = result.spec;
  spec.id = "zero2-w" + std::to_string(world);
  spec.suite = "notebook";
  spec.study = "at-rest";
  spec.strategy = "zero2";
  spec.world = world;
  spec.model = {.name = "mlp", .widths = {256, 256, 256, 256, 256, 256, 256, 256, 256}};
  spec.steps = 3;
  spec.iterations = 2;
  spec.launches = launches;
  for (int l = 0; l < launches; ++l) {
    Launch& launch = result.launches.emplace_back();
    for (int rank = 0; rank < world; ++rank) {
      RankReport& r = launch.ranks.emplace_back();
      r.rank = rank;
      r.weights_bytes = r.gradients_bytes = 1052672;
      r.optimizer_bytes = 2105348;
      r.held_storage_bytes = 4210692;
      r.live_at_rest = {1052672, 1052672, 2105348, 0, 0, 0};
      r.peak = {7000000, {2105344, 2105344, 2105348, 500000, 100000, 83964}, "backward of unit 0"};
      r.phases = {{"forward unit 0", {2105344, 0, 2105348, 300000, 0, 0}}};
      r.saved = {16, 4000000, 16, 16, 16, 262144, 0};
      r.alive_before_step = r.alive_after_step = 4210692;
      r.traffic[Operation::reduce_scatter] = {1, 2105344, 1052672, 1052672};
      r.traffic[Operation::all_gather] = {1, 2105344, 1052672, 1052672};
      r.bytes_on_wire = r.wire_claim.sent_bytes = 2105344;
      r.losses = {3.5, 3.25, 3.0};
      for (std::uint64_t step = 0; step < 3; ++step)
        r.rows_hashes.push_back(100 * step + static_cast<std::uint64_t>(rank));
      r.reference_rows_hashes = r.rows_hashes;
      r.optimizer_steps = {3};
      const auto world_size = static_cast<std::uint64_t>(world), number = static_cast<std::uint64_t>(rank);
      r.gradient_pieces = {{526336 * number / world_size, 526336 * (number + 1) / world_size}};
      r.parameters_hash = 0xabcdef;
      r.law = {1052672, 1052672, 2105348, 7000000, r.traffic, true};
      r.loss_difference = r.parameters_difference = r.gradients_difference = {true, 0, 0, true, "layer0.weight[0]"};
      r.timed.steps = 2;
      r.timed.traffic[Operation::reduce_scatter] = {2, 4210688, 2105344, 2105344};
      r.timed.traffic[Operation::all_gather] = {2, 4210688, 2105344, 2105344};
      r.timed.bytes_on_wire = 4210688;
      r.timed.alive_before = r.timed.alive_after = 4210692;
      r.timed.optimizer_steps = {6};
      r.timed.parameters_hash = 0xfedcba;
      r.timed.parameters_difference = r.parameters_difference;
      r.vm_hwm_bytes = 200000000;
      r.backend = {{"library", "gloo"}, {"version", "0.5.0"}, {"transport", "tcp on lo"}, {"wait_mode", "sync, block"}};
    }
    for (int i = 0; i < 2; ++i) {
      Sample& sample = launch.samples.emplace_back();
      sample.seconds = 0.002 + 0.001 * i;
      sample.ranks.assign(static_cast<std::size_t>(world), {sample.seconds, 0.0005, 0.001, 0.0005, 0.0002});
    }
  }
  return result;
}

/// 1F1B on 2 stages of Linear(32,32)+relu, horizon 2: the notebook's numbers.
inline CaseResult good_pipeline(int launches = 1) {
  CaseResult result;
  result.status = Status::ok;
  result.wall_s = 0.125;
  Case& spec = result.spec;
  spec.id = "1f1b-w2-h2";
  spec.suite = "notebook";
  spec.study = "activations";
  spec.program = Program::pipeline;
  spec.schedule = "1f1b";
  spec.world = 2;
  spec.horizon = 2;
  spec.model = {.name = "stages", .widths = {32, 32, 32}, .activation = Activation::relu, .loss = Loss::mse};
  spec.optimize = false;
  spec.batch = 8;
  spec.launches = launches;
  auto& schedule = result.schedule;
  schedule.plan.placement = {0, 1};
  schedule.plan.ranks.resize(2);
  auto& first = schedule.plan.ranks[0];
  first.forward(0, 0), first.forward(0, 1), first.backward(0, 0), first.backward(0, 1);
  auto& last = schedule.plan.ranks[1];
  last.forward(1, 0), last.backward(1, 0), last.forward(1, 1), last.backward(1, 1);
  schedule.law_in_flight = schedule.simulated_in_flight = {2, 1};
  schedule.law_in_flight_until_weight = schedule.simulated_in_flight_until_weight = {2, 1};
  schedule.traffic.resize(2);
  for (auto& traffic : schedule.traffic) {
    traffic[Operation::send] = {2, 1024, 1024, 0};
    traffic[Operation::recv] = {2, 1024, 0, 1024};
  }
  for (int l = 0; l < launches; ++l) {
    Launch& launch = result.launches.emplace_back();
    launch.ranks.resize(2);
    for (int rank = 0; rank < 2; ++rank) {
      RankReport& r = launch.ranks[static_cast<std::size_t>(rank)];
      r.rank = rank;
      r.weights_bytes = r.gradients_bytes = 4224;
      r.held_storage_bytes = 8448;
      r.live_at_rest = {4224, 4224, 0, 0, 0, 0};
      r.peak = {20000, {4224, 4224, 0, 10000, 1024, 528}, "0B0"};
      r.law = {4224, 4224, 0, 20000, {}, true};
      r.activations_bytes = r.predicted_activations_bytes = 2048;
      r.alive_before_step = r.alive_after_step = 8448;
      r.traffic = schedule.traffic[static_cast<std::size_t>(rank)];
      r.bytes_on_wire = r.wire_claim.sent_bytes = 1024;
      r.timed.steps = 2;
      r.timed.traffic[Operation::send] = {4, 2048, 2048, 0};
      r.timed.traffic[Operation::recv] = {4, 2048, 0, 2048};
      r.timed.bytes_on_wire = 2048;
      r.timed.alive_before = r.timed.alive_after = 8448;
      r.timed.parameters_hash = 0xfedcba + static_cast<std::uint64_t>(rank);
      r.timed.parameters_difference = {true, 0, 0, true, "layer0.weight[0]"};
      r.parameters_difference = r.gradients_difference = {true, 0, 0, true, "layer0.weight[0]"};
      r.backend = {{"library", "gloo"}, {"version", "0.5.0"}, {"transport", "tcp on lo"}, {"wait_mode", "sync, block"}};
    }
    auto& zero = launch.ranks[0];
    auto& one = launch.ranks[1];
    zero.saved = {4, 2048, 4, 4, 4, 1024, 0};
    one.saved = {5, 6144, 10, 10, 5, 1536, 0};
    zero.predicted_saved_peak = zero.predicted_saved_total = 4;
    zero.predicted_saved_peak_bytes = 2048;
    one.predicted_saved_peak = 5;
    one.predicted_saved_peak_bytes = 6144;
    one.predicted_saved_total = 10;
    zero.executed_in_flight = zero.executed_in_flight_until_weight = 2;
    one.executed_in_flight = one.executed_in_flight_until_weight = 1;
    zero.executed = {"0F0", "0SEND_F0", "0F1", "0SEND_F1", "0RECV_B0", "0B0", "0RECV_B1", "0B1"};
    one.executed = {"1RECV_F0", "1F0", "1B0", "1SEND_B0", "1RECV_F1", "1F1", "1B1", "1SEND_B1"};
    one.losses = {1.5, 1.25, 1.0};
    one.loss_difference = {true, 0, 0, true, "step 1"};
    launch.samples.push_back({0.001, {{0.001, 0.0002, 0.0004, 0.0003, 0}, {0.0009, 0.0002, 0.0004, 0.0004, 0}}});
  }
  return result;
}

/// An all-reduce of 4 KiB of float32 at world 2.
inline CaseResult good_collective(int launches = 1, Collective operation = Collective::all_reduce) {
  CaseResult result;
  result.status = Status::ok;
  result.wall_s = 0.0625;
  Case& spec = result.spec;
  spec.id = std::string(name_of(operation)) + "-w2";
  spec.suite = "backends";
  spec.program = Program::collective;
  spec.operation = operation;
  spec.world = 2;
  spec.bytes = has_array(operation) ? 4096 : 0;
  spec.optimize = false;
  spec.launches = launches;
  for (int l = 0; l < launches; ++l) {
    Launch& launch = result.launches.emplace_back();
    for (int rank = 0; rank < 2; ++rank) {
      RankReport& r = launch.ranks.emplace_back();
      r.rank = rank;
      r.peak = {12288, {0, 0, 0, 0, 12288, 0}, "start"};
      r.alive_before_step = r.alive_after_step = 12288;
      r.traffic[Operation::all_reduce] = {1, 4096, 4096, 4096};
      r.bytes_on_wire = r.wire_claim.sent_bytes = 4096;
      r.timed.steps = 2;
      r.timed.traffic[Operation::all_reduce] = {2, 8192, 8192, 8192};
      r.timed.bytes_on_wire = 8192;
      r.timed.alive_before = r.timed.alive_after = 12288;
      r.law.traffic = r.traffic;
      r.buffers.checked_elements = r.timed_buffers.checked_elements = 2048;
      r.algorithm = "ring";
      r.backend = {{"library", "gloo"}, {"version", "0.5.0"}, {"transport", "tcp on lo"}, {"wait_mode", "sync, block"}};
    }
    for (int i = 0; i < 2; ++i)
      launch.samples.push_back({2e-5 + 1e-5 * i, {{2e-5 + 1e-5 * i, 0, 2e-5, 0, 0}, {1.5e-5, 0, 1e-5, 0, 0}}});
  }
  return result;
}

inline RankReport& rank_one(CaseResult& result) { return result.launches[0].ranks[1]; }

}  // namespace shardbench::testing
