#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "shardbench/communicator.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace shardbench {

/// The parameters of one or more units laid end to end in one tensor, which the parameters' values become views of.
/// The building block of strategies that keep whole parameters.
class FlatParameters {
 public:
  /// Moves the parameters, in that order, into a flat tensor of their elements plus `padding`.
  FlatParameters(std::vector<Parameter*> parameters, std::int64_t padding);

  const at::Tensor& values() const noexcept { return values_; }
  std::int64_t elements() const noexcept { return elements_; }
  std::span<Parameter* const> parameters() const noexcept { return parameters_; }
  /// Offset of a parameter in the flat tensor, in elements.
  std::int64_t offset(std::size_t parameter) const { return offsets_[parameter]; }

  /// The parameters' values and gradients, in their order.
  std::vector<at::Tensor> parameter_values() const;
  std::vector<at::Tensor> parameter_gradients() const;

  /// A flat tensor of the same layout that the parameters' gradients become views of, those that are there
  /// already moving in. Only the padding is zeroed.
  at::Tensor make_gradients();
  /// Takes the views away again.
  void drop_gradients();

 private:
  std::vector<Parameter*> parameters_;
  std::vector<std::int64_t> offsets_;
  std::int64_t elements_ = 0;
  at::Tensor values_;
};

/// FSDP's flat unit: this rank keeps ceil(n / world) elements of a unit's n and gathers the rest while the unit
/// computes (FlatParameter, PyTorch FSDP; Zhao et al., VLDB 2023, section 3.2.3). The last shards are padded with
/// zeros.
///
/// In a world of one the shard is the whole and nothing is gathered or reduced (PyTorch FSDP's NO_SHARD).
/// The whole parameters live in a storage that `release` empties: views and saved tensors stay valid objects, and hold
/// the values again after the next `gather`.
class FlatUnit {
 public:
  FlatUnit(Unit& unit, Communicator& comm, const OptimizerSpec& optimizer);

  /// All-gathers the whole parameters. Nothing where they are whole already.
  void gather();
  /// Frees the whole parameters.
  void release();
  /// Allocates the whole flat gradient of the unit; the parameters' gradients are views of it.
  void make_gradients();
  /// Averages the gradients over the ranks; this rank keeps its shard and the whole gradient is freed.
  void reduce_scatter_gradients();
  /// Frees the gradient shard (zero_grad(set_to_none=True)).
  void release_gradient() { gradient_.reset(); }
  /// Updates the shard with the gradient shard.
  void update() { optimizer_.step({gradient_}); }

  /// The shards of weights, gradients and optimizer state.
  Holdings holdings() const;
  /// The gradient shard without padding.
  GradientPiece gradient() const;

 private:
  Communicator& comm_;
  int unit_;
  std::int64_t elements_;        ///< of the unit
  std::int64_t shard_elements_;  ///< of one rank's shard, padding included
  FlatParameters whole_;
  at::Tensor shard_;
  at::Tensor whole_gradient_, gradient_;
  Optimizer optimizer_;
  bool gathered_ = true;
};

/// All parameters of a model, in model order.
std::vector<Parameter*> parameters_of(std::span<Unit> units);

/// Pieces of whole, averaged gradients: every parameter's `gradient`.
std::vector<GradientPiece> whole_gradients(std::span<Unit> units);

/// Pieces of the elements [begin, end) of a flat gradient in the layout of `flat`.
std::vector<GradientPiece> gradient_pieces(std::span<Unit> units, const FlatParameters& flat,
                                           const at::Tensor& gradients, std::int64_t begin, std::int64_t end);

/// One FlatUnit per unit, and what is the same in every strategy made of them.
using FlatUnits = std::vector<std::unique_ptr<FlatUnit>>;
FlatUnits make_flat_units(const StrategyInput& in);
Holdings holdings_of(const FlatUnits& units);
std::vector<GradientPiece> gradients_of(const FlatUnits& units);

/// The law's side of FlatUnit: shards of ceil(n/N) elements per unit with one optimizer tensor each.
inline Law flat_units_at_rest(const LawInput& in) {
  Law law;
  for (const UnitShape& unit : in.units) {
    const std::uint64_t shard = shard_elements(in.elements(unit), in.world);
    law.weights += shard * in.element_bytes();
    law.gradients += shard * in.element_bytes();
    law.optimizer += optimizer_state_bytes(in.optimizer, std::span(&shard, 1), in.element_bytes());
  }
  return law;
}

/// One `gather` of the unit: f of its padded parameters.
inline void add_gather(Law& law, const LawInput& in, const UnitShape& unit) {
  if (in.world == 1) return;
  const std::vector<std::size_t> parts(static_cast<std::size_t>(in.world), shard_elements(in.elements(unit), in.world));
  add_call(law.traffic, Operation::all_gather, wire::sum(parts), wire::all_gather(parts, in.rank), in.element_bytes());
}

/// One `reduce_scatter_gradients` of the unit: f of its padded gradients.
inline void add_reduce_scatter(Law& law, const LawInput& in, const UnitShape& unit) {
  if (in.world == 1) return;
  const std::vector<std::size_t> parts(static_cast<std::size_t>(in.world), shard_elements(in.elements(unit), in.world));
  add_call(law.traffic, Operation::reduce_scatter, wire::sum(parts), wire::reduce_scatter(parts, in.rank),
           in.element_bytes());
}

/// Of a step over flat units: every unit's shard is updated by itself. The units are the caller's to add.
inline StepResidency flat_units_residency(const LawInput& in) {
  StepResidency residency;
  for (const UnitShape& unit : in.units) {
    const std::uint64_t shard = shard_elements(in.elements(unit), in.world);
    residency.update_temporary = std::max(
        residency.update_temporary, optimizer_temporary_bytes(in.optimizer, std::span(&shard, 1), in.element_bytes()));
  }
  return residency;
}

/// Whole parameters while gathered, a whole gradient during backward, then its shard.
inline StepResidency::PerUnit flat_unit_residency(const LawInput& in, const UnitShape& unit, bool kept_after_forward) {
  const std::uint64_t shard = shard_elements(in.elements(unit), in.world) * in.element_bytes();
  const std::uint64_t whole = shard * static_cast<std::uint64_t>(in.world);
  const bool alone = in.world == 1;
  return {.gathered = alone ? 0 : whole,
          .gradient_buffer = whole,
          .gradient_shard = shard,
          .buffer_is_shard = alone,
          .kept_after_forward = kept_after_forward};
}

}  // namespace shardbench
