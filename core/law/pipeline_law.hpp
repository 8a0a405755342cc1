#pragma once
#include <cstdint>
#include <vector>

#include "shardbench/law.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// What the law of a pipeline rank is evaluated on. Bytes and rows are of one microbatch, unless it says otherwise.
struct PipelineLawInput {
  /// The loss, computed by the last stage. It keeps the model's output until its backward.
  struct Loss {
    std::uint64_t saves = 0, saves_bytes = 0;  ///< tensors that autograd saves of it
    std::uint64_t temporary_bytes = 0;         ///< alive at once while it is computed, its value included
    std::uint64_t gradient_bytes = 0;          ///< storage of its gradient
    bool gradient_expanded = false;            ///< ... which is one number seen as many
  };
  const Plan& lowered;
  int rank = 0;
  std::vector<std::vector<LayerShape>> stages;  ///< the layers of each stage; those of other ranks may be left out
  Loss loss;
  std::uint64_t batch_bytes = 0;       ///< alive during the whole step: the batch, and one microbatch's targets
  std::uint64_t optimizer_bytes = 0;   ///< at rest
  std::uint64_t update_temporary = 0;  ///< for a moment inside the update
  bool divides_gradients = false;      ///< by a number, once they are summed
};

/// What a pipeline rank costs in one step, by the order of its actions (docs/laws.md, "The memory of a pipeline rank").
struct PipelineLaw {
  std::uint64_t weights = 0, gradients = 0;  ///< bytes at rest
  std::uint64_t peak = 0;                    ///< most bytes alive inside the step
  std::uint64_t activations = 0;             ///< most bytes of activations alive between two actions
  std::uint64_t saved_peak = 0, saved_peak_bytes = 0, saved_total = 0;  ///< saved tensors, from save to first use
};

/// Walks the rank's actions with every storage that comes and goes in them. Exact.
PipelineLaw pipeline_law(const PipelineLawInput& in);

}  // namespace shardbench
