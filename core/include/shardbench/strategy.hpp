#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <torch/version.h>

#include "shardbench/communicator.hpp"
#include "shardbench/error.hpp"
#include "shardbench/law.hpp"
#include "shardbench/model.hpp"
#include "shardbench/optimizer_spec.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/role.hpp"

#define SHARDBENCH_TORCH_VERSION            \
  SHARDBENCH_STRINGIFY(TORCH_VERSION_MAJOR) \
  "." SHARDBENCH_STRINGIFY(TORCH_VERSION_MINOR) "." SHARDBENCH_STRINGIFY(TORCH_VERSION_PATCH)

namespace shardbench {

/// What a strategy is made from. The references outlive it.
struct StrategyInput {
  std::span<Unit> units;  ///< every rank holds the same whole parameters when the strategy is constructed
  Communicator& comm;
  OptimizerSpec optimizer;
  std::map<std::string, std::string> options;  ///< as declared in the descriptor, checked

  std::string option(const std::string& name, const std::string& otherwise) const {
    const auto it = options.find(name);
    return it == options.end() ? otherwise : it->second;
  }
};

/// A tensor that a rank keeps between steps.
struct Holding {
  Role role;  ///< weights, gradients or optimizer
  std::string name;
  at::Tensor tensor;
};
using Holdings = std::vector<Holding>;

/// Where the averaged gradients are that this rank will update with, for the comparison with the reference: elements
/// [begin, end) of the unit's parameters laid end to end in model order, in the same order in `values`.
struct GradientPiece {
  int unit = 0;
  std::int64_t begin = 0;
  at::Tensor values;
};

/// How the training of one model is split over ranks: a plugin of kind `strategy`.
///
/// The core runs the loop and calls, on every rank and in the same order:
///
///     begin_step()
///     for each unit u:            before_forward(u)   u's layers run        after_forward(u)
///     loss = loss(output)         (of this rank's own rows)
///     for each unit u, reversed:  before_backward(u)  u's layers' gradients  after_backward(u)
///                                                     (before_gradients(u) once in between)
///     update()
///
/// When a layer of u runs, the values of its parameters must be whole and current. After a layer's backward its
/// gradients are in `Parameter::gradient` (see there). The update must use gradients averaged over all ranks: ranks
/// train on different rows.
class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual void begin_step() {}
  virtual void before_forward(Unit&) {}
  virtual void after_forward(Unit&) {}
  virtual void before_backward(Unit&) {}
  /// The time to make a place for the unit's gradients where it costs least (`gradient_place`): some may be in
  /// `Parameter::gradient` already and must move; the others come after.
  virtual void before_gradients(Unit&) {}
  virtual void after_backward(Unit&) {}
  virtual void update() = 0;
  /// Whole parameters that before_forward gathered outside of a step (to look at them) are no longer needed.
  virtual void release_parameters() {}

  /// Everything that this rank keeps between steps. Checked against the allocator.
  virtual Holdings holdings() const = 0;

  /// The averaged gradients as `update` will use them, between the last after_backward and update. All ranks' pieces
  /// together must cover every parameter.
  virtual std::vector<GradientPiece> gradients() const = 0;
};

}  // namespace shardbench
