#include <memory>
#include <vector>

#include "shardbench/flat_unit.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// SHARD_GRAD_OP: weights, gradients and optimizer state are sharded at rest; a unit's parameters are whole from its
/// forward to the end of its backward (Rajbhandari et al., ZeRO, SC 2020, section 5.2; PyTorch FSDP, SHARD_GRAD_OP).
class Zero2 final : public Strategy {
 public:
  explicit Zero2(const StrategyInput& in) : shards_(make_flat_units(in)) {}

  void begin_step() override {
    for (auto& shard : shards_) shard->release_gradient();
  }
  void before_forward(Unit& u) override { of(u).gather(); }
  void before_gradients(Unit& u) override { of(u).make_gradients(); }
  void after_backward(Unit& u) override {
    of(u).reduce_scatter_gradients();
    of(u).release();
  }
  void update() override {
    for (auto& shard : shards_) shard->update();
  }
  void release_parameters() override {
    for (auto& shard : shards_) shard->release();
  }
  Holdings holdings() const override { return holdings_of(shards_); }
  std::vector<GradientPiece> gradients() const override { return gradients_of(shards_); }

 private:
  FlatUnit& of(const Unit& u) { return *shards_[static_cast<std::size_t>(u.index())]; }
  FlatUnits shards_;
};

/// At rest (4P + 4P + 8P)/N by units, padded; sent f·4P to gather and f·4P to reduce.
Law zero2_law(const LawInput& in) {
  Law law = flat_units_at_rest(in);
  StepResidency residency = flat_units_residency(in);
  for (const UnitShape& unit : in.units) {
    add_gather(law, in, unit);
    add_reduce_scatter(law, in, unit);
    residency.units.push_back(flat_unit_residency(in, unit, /*kept_after_forward=*/true));
  }
  law.peak = peak_of_step(in, law, residency);
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(Zero2, zero2_law, "zero2", "1.0.0",
                    "SHARD_GRAD_OP: everything sharded at rest, parameters whole from forward to backward", "")
