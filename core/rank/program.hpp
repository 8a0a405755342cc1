#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "control/channel.hpp"
#include "control/report.hpp"
#include "rank/reference.hpp"
#include "shardbench/communicator.hpp"
#include "shardbench/plugin.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// What the ranks run for a case. The server calls these in order: train, compare_with, audit, then time_step as often
/// as the driver wants, trace, and conclude at the end.
class RankProgram {
 public:
  virtual ~RankProgram() = default;
  /// The checked steps: fills losses, bytes at rest, or what a collective left in the buffers. The gradients that were
  /// updated with go into the case's record.
  virtual void train(RankReport& report) = 0;
  /// Fills the differences of the checked steps from the reference.
  virtual void compare_with(const Reference&, RankReport&) {}
  /// A hash of the gradients that `train` recorded.
  virtual std::uint64_t shown_hash() const { return 0; }
  /// One step with the instruments on: fills peak, saved tensors, traffic and law.
  virtual void audit(RankReport& report) = 0;
  /// One step with the instruments off.
  virtual StepTime time_step() = 0;
  /// When each action of one more such step ran (pipeline).
  virtual std::vector<Span> trace() { return {}; }
  /// After the last step: fills the timed part, and gives up what the program keeps between steps. `reference`: one
  /// that went on for as many steps, or null (collective).
  virtual void conclude(const Reference* reference, RankReport& report) = 0;
};

struct ProgramInput {
  const Case& spec;
  Communicator& comm;
  std::filesystem::path record;                ///< where `train` keeps the gradients that it shows
  const PluginDescriptor* strategy = nullptr;  ///< training
  Message plan;                                ///< pipeline: the lowered plan
  const Comm* backend = nullptr;               ///< collective: names its algorithms
};

std::unique_ptr<RankProgram> make_training(const ProgramInput& in);
std::unique_ptr<RankProgram> make_pipeline(const ProgramInput& in);
std::unique_ptr<RankProgram> make_collective(const ProgramInput& in);

}  // namespace shardbench
