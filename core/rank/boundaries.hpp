#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "shardbench/communicator.hpp"
#include "shardbench/schedule.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// The tensors on their way between the stages of one rank and their neighbours, by stage and microbatch: a stage's
/// output becomes the next one's input, the gradient of an input that of the output of the stage before. Where both
/// stages live on this rank, that is a hand-over without a message; else the plan has a send and a receive for it.
///
/// Receives are allocated when the plan comes to them. Sends are left in flight and collected as soon as the plan
/// implies that they are done (`release_points`), so memory is the same in every run and no send is ever waited for
/// before its peer has received it: a rank blocks in receives alone.
class Boundaries {
 public:
  struct Input {
    const Case& spec;
    const Plan& lowered;
    Communicator& comm;  ///< all outlive it
  };
  explicit Boundaries(const Input& in);

  /// Throws `Error` where it is not there: its receive, or the neighbour's action on this rank, has not run.
  at::Tensor take_input(int stage, int microbatch);
  at::Tensor take_output_gradient(int stage, int microbatch);
  void give_output(int stage, int microbatch, at::Tensor output);
  void give_input_gradient(int stage, int microbatch, at::Tensor gradient);

  /// Runs a send or a receive, action `index` of this rank's plan.
  void communicate(const Action& action, std::size_t index);
  /// Lets go of the sends that are done once action `index` has run.
  void collect(std::size_t index);
  void collect_all();

 private:
  using PerMicrobatch = std::vector<at::Tensor>;
  int last_stage() const { return static_cast<int>(plan_.placement.size()) - 1; }
  int home(int stage) const { return plan_.placement[static_cast<std::size_t>(stage)]; }
  bool here(int stage) const { return stage >= 0 && stage <= last_stage() && home(stage) == comm_.rank(); }
  std::uint32_t tag_of(bool forward, int sender, int microbatch) const;
  at::Tensor receive(std::int64_t width, int peer, std::uint32_t tag_number);
  void send(std::size_t index, at::Tensor tensor, int peer, std::uint32_t tag_number);

  const Plan& plan_;
  Communicator& comm_;
  std::int64_t rows_;                                                                 ///< of a microbatch
  std::vector<std::int64_t> widths_;                                                  ///< of the input of each stage
  std::vector<PerMicrobatch> inputs_, outputs_, output_gradients_, input_gradients_;  ///< by stage
  std::map<std::size_t, Pending> sends_;            ///< in flight, by the index of their action
  std::vector<std::vector<std::size_t>> sends_at_;  ///< sends that are surely done after each action
};

}  // namespace shardbench
