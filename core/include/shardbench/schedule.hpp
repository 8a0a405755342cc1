#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shardbench {

/// What a pipeline schedule is asked for.
struct ScheduleInput {
  int ranks = 1;         ///< p: ranks of the pipeline
  int chunks = 1;        ///< v: stages per rank
  int microbatches = 1;  ///< m: the horizon
  std::map<std::string, std::string> options;
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

/// What a schedule claims of one rank.
struct ScheduleLaw {
  int peak_in_flight = 0;  ///< microbatches (of any chunk) whose forward ran and whose B or I did not
};

}  // namespace shardbench
