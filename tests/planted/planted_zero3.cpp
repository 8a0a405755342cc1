#include <memory>
#include <vector>

#include <ATen/ops/roll.h>

#include "shardbench/flat_unit.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// FULL_SHARD, right with bug = none and wrong in one way with each of the others (planted_bugs.hpp says which).
class PlantedZero3 final : public Strategy {
 public:
  explicit PlantedZero3(const StrategyInput& in)
      : bug_(in.option("bug", "none")), world_(in.comm.world()), shards_(make_flat_units(in)) {}

  void begin_step() override {
    for (auto& shard : shards_) shard->release_gradient();
  }
  void before_forward(Unit& u) override {
    if (bug_ == "ungathered" && u.index() == 1) return;
    of(u).gather();
  }
  void after_forward(Unit& u) override {
    if (bug_ == "keeps_unit" && u.index() == 0) return;
    if (!u.is_root()) of(u).release();
  }
  void before_backward(Unit& u) override {
    if (bug_ != "ungathered_backward" || u.index() != 0) of(u).gather();
  }
  void before_gradients(Unit& u) override {
    of(u).make_gradients();
    if (bug_ == "keeps_view" && u.index() == 0) kept_ = u.parameters().front()->gradient;
  }
  void after_backward(Unit& u) override {
    if (bug_ == "padding") put_padding_in_front(u);
    of(u).reduce_scatter_gradients();
    if (bug_ == "never_frees" && u.index() == 0) return;
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

  /// Lays the unit's flat gradient out with its padding before the elements, not after them: each rank's last elements
  /// come to its neighbour.
  void put_padding_in_front(const Unit& u) const {
    std::int64_t elements = 0;
    for (const Parameter* p : u.parameters()) elements += p->gradient.numel();
    const auto shard = static_cast<std::int64_t>(shard_elements(static_cast<std::uint64_t>(elements), world_));
    const std::int64_t padding = shard * world_ - elements;
    const at::Tensor flat = u.parameters().front()->gradient.as_strided({shard * world_}, {1}, 0);
    flat.copy_(at::roll(flat, padding));
  }

  std::string bug_;
  int world_;
  FlatUnits shards_;
  at::Tensor kept_;
};

/// The law of FULL_SHARD; law_one_gather is its own fault.
Law planted_zero3_law(const LawInput& in) {
  Law law = flat_units_at_rest(in);
  StepResidency residency = flat_units_residency(in);
  for (const UnitShape& unit : in.units) {
    add_gather(law, in, unit);
    if (!unit.root && in.option("bug", "none") != "law_one_gather") add_gather(law, in, unit);
    add_reduce_scatter(law, in, unit);
    residency.units.push_back(flat_unit_residency(in, unit, /*kept_after_forward=*/unit.root));
  }
  law.peak = peak_of_step(in, law, residency);
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(PlantedZero3, planted_zero3_law, "planted_zero3", "1.0.0", "FULL_SHARD with a bug, for tests",
                    "bug=none|ungathered|ungathered_backward|keeps_unit|keeps_view|never_frees|padding|law_one_gather")
