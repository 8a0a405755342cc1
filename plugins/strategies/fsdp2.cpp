#include <algorithm>
#include <vector>

#include <ATen/ops/empty.h>

#include "shardbench/flat_unit.hpp"
#include "shardbench/memory.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Elements of each rank's shard of a parameter cut on dimension 0: ceil(d0/N) rows each until they are used up, so
/// d0=5, N=4 gives 2, 2, 1, 0 rows (torch.chunk, as in FSDPParam, PyTorch 2.13).
std::vector<std::size_t> dimension_0_parts(std::uint64_t rows, std::uint64_t columns, int world) {
  const std::uint64_t each = shard_elements(rows, world);
  std::vector<std::size_t> parts;
  for (std::uint64_t first = 0; parts.size() < static_cast<std::size_t>(world); first += each)
    parts.push_back(std::min(each, rows - std::min(first, rows)) * columns);
  return parts;
}

/// One parameter: this rank's rows, and the whole in a storage that is emptied in between.
class Shard {
 public:
  Shard(Parameter& parameter, Communicator& comm, std::int64_t offset_in_unit)
      : parameter_(parameter), comm_(comm), whole_(parameter.value.detach()), bytes_(storage_bytes(whole_)) {
    const auto rows = static_cast<std::uint64_t>(whole_.size(0));
    parts_ = dimension_0_parts(rows, static_cast<std::uint64_t>(whole_.numel()) / rows, comm.world());
    const auto rank = static_cast<std::size_t>(comm.rank());
    first_ = offset_in_unit;
    std::int64_t begin = 0;
    for (std::size_t r = 0; r < rank; ++r) begin += static_cast<std::int64_t>(parts_[r]);
    first_ += begin;
    const at::Tensor mine = whole_.view({-1}).narrow(0, begin, static_cast<std::int64_t>(parts_[rank]));
    const RoleScope scope(Role::weights);
    values = comm.world() == 1 ? mine : mine.clone();
    release();
  }

  void gather() {
    if (storage_bytes(whole_) != 0) return;
    restore_storage(whole_, bytes_, Role::weights);
    comm_.all_gather(values, whole_, parts_);
  }
  void release() {
    if (comm_.world() > 1) release_storage(whole_);
  }
  void make_gradient() {
    const RoleScope scope(Role::gradients);
    gradient = comm_.world() == 1 ? parameter_.gradient.view({-1}) : at::empty(values.sizes());
  }
  void reduce_scatter() {
    if (comm_.world() > 1) {
      comm_.reduce_scatter(parameter_.gradient, gradient, parts_);
      gradient.div_(comm_.world());
    }
    parameter_.gradient.reset();
  }
  GradientPiece piece(int unit) const { return {unit, first_, gradient}; }

  at::Tensor values, gradient;

 private:
  Parameter& parameter_;
  Communicator& comm_;
  at::Tensor whole_;
  std::uint64_t bytes_;
  std::vector<std::size_t> parts_;
  std::int64_t first_ = 0;
};

/// fully_shard: FULL_SHARD with every parameter sharded by itself, on dimension 0, without padding (PyTorch FSDP2,
/// torch.distributed.fsdp.fully_shard). The rows of a rank are contiguous in the whole, so a parameter is gathered
/// straight into its place, where PyTorch gathers a unit into one buffer and copies out.
class Fsdp2 final : public Strategy {
 public:
  explicit Fsdp2(const StrategyInput& in) : units_(in.units.size()), optimizer_(in.optimizer, make_shards(in)) {}

  void begin_step() override {
    for (auto& unit : units_)
      for (Shard& s : unit) s.gradient.reset();
  }
  void before_forward(Unit& u) override { gather(u); }
  void after_forward(Unit& u) override {
    if (!u.is_root()) release(u);
  }
  void before_backward(Unit& u) override { gather(u); }
  void after_backward(Unit& u) override {
    for (Shard& s : of(u)) s.make_gradient();
    for (Shard& s : of(u)) s.reduce_scatter();
    release(u);
  }
  void update() override { optimizer_.step(all(&Shard::gradient)); }
  void release_parameters() override {
    for (auto& unit : units_)
      for (Shard& s : unit) s.release();
  }

  Holdings holdings() const override {
    Holdings held = optimizer_.state();
    for (const at::Tensor& t : all(&Shard::values)) held.push_back({Role::weights, "rows of a parameter", t});
    for (const at::Tensor& t : all(&Shard::gradient))
      if (t.defined()) held.push_back({Role::gradients, "rows of a gradient", t});
    return held;
  }
  std::vector<GradientPiece> gradients() const override {
    std::vector<GradientPiece> pieces;
    for (std::size_t u = 0; u < units_.size(); ++u)
      for (const Shard& s : units_[u]) pieces.push_back(s.piece(static_cast<int>(u)));
    return pieces;
  }

 private:
  std::vector<at::Tensor> make_shards(const StrategyInput& in) {
    for (Unit& unit : in.units) {
      std::int64_t offset = 0;
      for (Parameter* p : unit.parameters()) {
        of(unit).emplace_back(*p, in.comm, offset);
        offset += p->value.numel();
      }
    }
    return all(&Shard::values);
  }
  std::vector<Shard>& of(const Unit& u) { return units_[static_cast<std::size_t>(u.index())]; }
  void gather(const Unit& u) {
    for (Shard& s : of(u)) s.gather();
  }
  void release(const Unit& u) {
    for (Shard& s : of(u)) s.release();
  }
  std::vector<at::Tensor> all(at::Tensor Shard::*which) const {
    std::vector<at::Tensor> tensors;
    for (const auto& unit : units_)
      for (const Shard& s : unit) tensors.push_back(s.*which);
    return tensors;
  }

  std::vector<std::vector<Shard>> units_;
  Optimizer optimizer_;
};

/// At rest this rank's rows of every parameter, gradient and state, and a step count even for no rows. Sent as zero3,
/// parameter by parameter.
Law fsdp2_law(const LawInput& in) {
  Law law;
  StepResidency residency;
  std::vector<std::uint64_t> owned;
  const auto mine = static_cast<std::size_t>(in.rank);
  for (const UnitShape& unit : in.units) {
    StepResidency::PerUnit held{
        .gradients_wait = true, .buffer_is_shard = in.world == 1, .kept_after_forward = unit.root};
    if (in.world > 1) held.gathered = in.elements(unit) * in.element_bytes();
    for (int l = unit.first; l < unit.first + unit.count; ++l) {
      const LayerShape& layer = in.layers[static_cast<std::size_t>(l)];
      for (std::size_t p = 0; p < layer.parameters.size(); ++p) {
        const std::uint64_t n = layer.parameters[p], rows = layer.rows[p];
        const auto parts = dimension_0_parts(rows, n / rows, in.world);
        owned.push_back(parts[mine]);
        held.gradient_shard += parts[mine] * in.element_bytes();
        if (in.world == 1) continue;
        for (int gathers = 0; gathers < (unit.root ? 1 : 2); ++gathers)
          add_call(law.traffic, Operation::all_gather, n, wire::all_gather(parts, in.rank), in.element_bytes());
        add_call(law.traffic, Operation::reduce_scatter, n, wire::reduce_scatter(parts, in.rank), in.element_bytes());
      }
    }
    residency.units.push_back(held);
  }
  for (const std::uint64_t n : owned) law.weights += n * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, owned, in.element_bytes());
  law.equal_on_all_ranks = std::all_of(in.layers.begin(), in.layers.end(), [&](const LayerShape& layer) {
    return std::all_of(layer.rows.begin(), layer.rows.end(),
                       [&](std::uint64_t rows) { return rows % static_cast<std::uint64_t>(in.world) == 0; });
  });
  residency.update_temporary = optimizer_temporary_bytes(in.optimizer, owned, in.element_bytes());
  law.peak = peak_of_step(in, law, residency);
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(Fsdp2, fsdp2_law, "fsdp2", "1.0.0",
                    "fully_shard: every parameter sharded on dimension 0, a unit whole only while it computes", "")
