#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "shardbench/error.hpp"

namespace shardbench {

/// What a pipeline schedule is asked for.
struct ScheduleInput {
  int ranks = 1;         ///< p: ranks of the pipeline
  int chunks = 1;        ///< v: stages per rank; 0: the schedule says (its option `chunks` is declared as 0)
  int microbatches = 1;  ///< m: the horizon
  std::map<std::string, std::string> options;
  std::string folder = {};  ///< where a relative path in the options begins; empty: the working folder

  std::string option(const std::string& name, const std::string& otherwise) const {
    const auto it = options.find(name);
    return it == options.end() ? otherwise : it->second;
  }
};

/// One thing that a rank does. The first four are compute and come from a schedule; the others come from the lowering
/// pass of the core. A tag for a pair of neighbouring stages is (stage of the sender, microbatch).
enum class ActionKind : std::uint8_t {
  forward,          ///< F: run the stage on the microbatch, keep what its backward needs
  backward,         ///< B: the whole backward (input and weight gradients)
  backward_input,   ///< I: the gradient of the stage's input alone
  backward_weight,  ///< W: the gradients of the stage's parameters alone
  send_forward,     ///< SEND_F: the stage's output to the next stage
  recv_forward,     ///< RECV_F: the stage's input from the previous stage
  send_backward,    ///< SEND_B: the gradient of the stage's input to the previous stage
  recv_backward     ///< RECV_B: the gradient of the stage's output from the next stage
};

struct Action {
  ActionKind kind = ActionKind::forward;
  int stage = 0;
  int microbatch = 0;
  bool operator==(const Action&) const = default;
};

/// The actions of one rank, in order.
class RankPlan {
 public:
  void forward(int stage, int microbatch) { actions.push_back({ActionKind::forward, stage, microbatch}); }
  void backward(int stage, int microbatch) { actions.push_back({ActionKind::backward, stage, microbatch}); }
  void backward_input(int stage, int microbatch) { actions.push_back({ActionKind::backward_input, stage, microbatch}); }
  void backward_weight(int stage, int microbatch) {
    actions.push_back({ActionKind::backward_weight, stage, microbatch});
  }
  std::vector<Action> actions;
  bool operator==(const RankPlan&) const = default;
};

/// A whole schedule: where each stage lives and what each rank does.
struct Plan {
  std::vector<int> placement;   ///< placement[stage] = rank; ranks*chunks stages
  std::vector<RankPlan> ranks;  ///< one per rank
};

/// Stage s on rank s mod p: the placement of every schedule but the V-shaped ones.
inline std::vector<int> round_robin_placement(const ScheduleInput& in) {
  std::vector<int> placement(static_cast<std::size_t>(in.ranks) * static_cast<std::size_t>(in.chunks));
  for (std::size_t s = 0; s < placement.size(); ++s) placement[s] = static_cast<int>(s) % in.ranks;
  return placement;
}

/// Stage s on rank s for s < p, then back: stage p on rank p-1 as stage p-1 is, stage 2p-1 on rank 0 (Qi et al.,
/// Pipeline Parallelism with Controllable Memory, NeurIPS 2024, "V-Shape"), and so on with more chunks.
inline std::vector<int> v_placement(const ScheduleInput& in) {
  std::vector<int> placement = round_robin_placement(in);
  for (std::size_t s = 0; s < placement.size(); ++s)
    if (s / static_cast<std::size_t>(in.ranks) % 2 == 1) placement[s] = in.ranks - 1 - placement[s];
  return placement;
}

/// Throws `Error` unless the schedule `name` is asked for the stages per rank that it has.
inline void require_chunks(const ScheduleInput& in, const std::string& name, int chunks) {
  if (in.chunks != chunks)
    throw Error(name + " has " + std::to_string(chunks) + (chunks == 1 ? " stage" : " stages") + " per rank, but " +
                    std::to_string(in.chunks) + (in.chunks == 1 ? " chunk is" : " chunks are") + " asked for",
                {}, "set chunks = " + std::to_string(chunks) + ", or take another schedule");
}

/// What a schedule claims of one rank: the most microbatches that are in flight at once, each chunk's counted. A
/// microbatch is in flight from its F on; what its backward needs is given up in part by I and in whole by W (or B).
struct ScheduleLaw {
  int peak_in_flight = 0;                            ///< ... until its I (or B)
  int peak_in_flight_until_weight = peak_in_flight;  ///< ... until its W (or B); the same where nothing is split
};

}  // namespace shardbench
