#pragma once
#include <memory>
#include <vector>

#include "control/channel.hpp"
#include "control/report.hpp"
#include "rank/reference.hpp"
#include "shardbench/communicator.hpp"
#include "shardbench/plugin.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// What the ranks run for a case. The server calls these in order: train, audit, then time_step as often as the driver
/// wants.
class RankProgram {
 public:
  virtual ~RankProgram() = default;
  /// The checked steps: fills losses, bytes at rest and the differences from the reference, or what a collective left
  /// in the buffers.
  virtual void train(RankReport& report) = 0;
  /// One step with the instruments on: fills peak, saved tensors, traffic and law.
  virtual void audit(RankReport& report) = 0;
  /// One step with the instruments off.
  virtual StepTime time_step() = 0;
  /// When each action of one more such step ran (pipeline).
  virtual std::vector<Span> trace() { return {}; }
};

struct ProgramInput {
  const Case& spec;
  Communicator& comm;
  const Reference& reference;
  const PluginDescriptor* strategy = nullptr;  ///< training
  Message plan;                                ///< pipeline: the lowered plan
  const Comm* backend = nullptr;               ///< collective: names its algorithms
};

std::unique_ptr<RankProgram> make_training(const ProgramInput& in);
std::unique_ptr<RankProgram> make_pipeline(const ProgramInput& in);
std::unique_ptr<RankProgram> make_collective(const ProgramInput& in);

}  // namespace shardbench
