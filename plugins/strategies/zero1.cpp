#include <algorithm>
#include <numeric>

#include "shardbench/flat_unit.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Which rank updates which elements of the flat parameters: `parts[r]` elements of rank r, back to back in rank order.
struct Partition {
  std::vector<std::size_t> order;  ///< parameter tensors in flat order
  std::vector<std::size_t> parts;
};

/// Whole tensors, largest first, to the least loaded rank (ZeroRedundancyOptimizer, PyTorch 2.13).
Partition greedy_partition(const std::vector<std::uint64_t>& tensors, int world) {
  const std::vector<int> owner = greedy_owners(tensors, world);
  Partition p{std::vector<std::size_t>(tensors.size()), std::vector<std::size_t>(static_cast<std::size_t>(world), 0)};
  std::iota(p.order.begin(), p.order.end(), std::size_t{0});
  std::stable_sort(p.order.begin(), p.order.end(), [&](auto a, auto b) { return owner[a] < owner[b]; });
  for (std::size_t t = 0; t < tensors.size(); ++t) p.parts[static_cast<std::size_t>(owner[t])] += tensors[t];
  return p;
}

/// Equal slices of all parameters laid end to end, across tensor boundaries (Rajbhandari et al., ZeRO, SC 2020,
/// section 5.1).
Partition flat_partition(const std::vector<std::uint64_t>& tensors, int world) {
  Partition p{std::vector<std::size_t>(tensors.size()), {}};
  std::iota(p.order.begin(), p.order.end(), std::size_t{0});
  p.parts = even_parts(std::accumulate(tensors.begin(), tensors.end(), std::size_t{0}), world);
  return p;
}

std::vector<std::uint64_t> sizes_of(const std::vector<Parameter*>& parameters) {
  std::vector<std::uint64_t> sizes;
  for (const Parameter* p : parameters) sizes.push_back(static_cast<std::uint64_t>(p->value.numel()));
  return sizes;
}

/// ZeRO stage 1: whole weights and gradients, the optimizer's state split. Each rank updates its part and hands it to
/// the others.
///
/// `partition = greedy`: whole tensors, gradients all-reduced as DDP does, the owners broadcast what they updated.
/// `partition = flat`: even slices, gradients reduce-scattered, updated parameters all-gathered: half the bytes less.
class Zero1 final : public Strategy {
 public:
  explicit Zero1(const StrategyInput& in)
      : Zero1(in, parameters_of(in.units), in.option("partition", "greedy") == "flat") {}

  void after_backward(Unit& unit) override {
    if (unit.index() > 0) return;
    if (flat_partition_) {
      comm_.reduce_scatter(bucket_, mine(bucket_), partition_.parts);
      mine(bucket_).div_(comm_.world());
    } else {
      comm_.all_reduce(bucket_);
      bucket_.div_(comm_.world());
    }
  }

  void update() override {
    optimizer_.step(owned(/*gradients=*/true));
    if (flat_partition_) {
      comm_.all_gather(mine(flat_.values()), flat_.values(), partition_.parts);
      return;
    }
    std::int64_t begin = 0;
    for (int owner = 0; owner < comm_.world(); ++owner) {
      const auto count = static_cast<std::int64_t>(partition_.parts[static_cast<std::size_t>(owner)]);
      if (count > 0) comm_.broadcast(flat_.values().narrow(0, begin, count), owner);
      begin += count;
    }
  }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    return all;
  }

  std::vector<GradientPiece> gradients() const override {
    if (!flat_partition_) return whole_gradients(units_);
    return gradient_pieces(units_, flat_, bucket_, begin(), begin() + size());
  }

 private:
  Zero1(const StrategyInput& in, const std::vector<Parameter*>& parameters, bool flat)
      : units_(in.units),
        comm_(in.comm),
        flat_partition_(flat),
        partition_(flat ? flat_partition(sizes_of(parameters), in.comm.world())
                        : greedy_partition(sizes_of(parameters), in.comm.world())),
        flat_(reordered(parameters, partition_.order), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        optimizer_(in.optimizer, owned(/*gradients=*/false)) {}

  static std::vector<Parameter*> reordered(const std::vector<Parameter*>& parameters,
                                           const std::vector<std::size_t>& order) {
    std::vector<Parameter*> out;
    for (const auto i : order) out.push_back(parameters[i]);
    return out;
  }

  /// This rank's part of the flat parameters, in elements.
  std::int64_t begin() const {
    return static_cast<std::int64_t>(
        std::accumulate(partition_.parts.begin(), partition_.parts.begin() + comm_.rank(), std::size_t{0}));
  }
  std::int64_t size() const {
    return static_cast<std::int64_t>(partition_.parts[static_cast<std::size_t>(comm_.rank())]);
  }
  at::Tensor mine(const at::Tensor& flat) const { return flat.narrow(0, begin(), size()); }

  /// What the optimizer works on: this rank's tensors, or its slice as one tensor.
  std::vector<at::Tensor> owned(bool gradients) const {
    if (flat_partition_) return {mine(gradients ? bucket_ : flat_.values())};
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < flat_.parameters().size(); ++i)
      if (flat_.offset(i) >= begin() && flat_.offset(i) < begin() + size())
        tensors.push_back(gradients ? flat_.parameters()[i]->gradient : flat_.parameters()[i]->value);
    return tensors;
  }

  std::span<Unit> units_;
  Communicator& comm_;
  bool flat_partition_;
  Partition partition_;
  FlatParameters flat_;
  at::Tensor bucket_;
  Optimizer optimizer_;
};

/// At rest 4P + 4P + the state of this rank's part. Sent: greedy 2f·4P and the broadcasts of owned tensors; flat f·8P.
Law zero1_law(const LawInput& in) {
  const std::vector<std::uint64_t> tensors = in.tensors();
  const bool flat = in.option("partition", "greedy") == "flat";
  const Partition partition = flat ? flat_partition(tensors, in.world) : greedy_partition(tensors, in.world);
  const auto rank = static_cast<std::size_t>(in.rank);
  std::vector<std::uint64_t> owned;
  if (flat) {
    owned = {partition.parts[rank]};
  } else {
    const std::vector<int> owner = greedy_owners(tensors, in.world);
    for (std::size_t t = 0; t < tensors.size(); ++t)
      if (owner[t] == in.rank) owned.push_back(tensors[t]);
  }
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, owned, in.element_bytes());
  law.equal_on_all_ranks = std::all_of(partition.parts.begin(), partition.parts.end(),
                                       [&](std::size_t part) { return part == partition.parts.front(); });
  if (flat) {
    add_call(law.traffic, Operation::reduce_scatter, in.elements(), wire::reduce_scatter(partition.parts, in.rank),
             in.element_bytes());
    add_call(law.traffic, Operation::all_gather, in.elements(), wire::all_gather(partition.parts, in.rank),
             in.element_bytes());
  } else {
    add_call(law.traffic, Operation::all_reduce, in.elements(), wire::all_reduce(in.elements(), in.world, in.rank),
             in.element_bytes());
    for (int owner = 0; owner < in.world; ++owner) {
      const auto n = partition.parts[static_cast<std::size_t>(owner)];
      if (n > 0)
        add_call(law.traffic, Operation::broadcast, n, wire::broadcast(n, in.world, in.rank, owner),
                 in.element_bytes());
    }
  }
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(in.units.size()),
                           optimizer_temporary_bytes(in.optimizer, owned, in.element_bytes())});
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(Zero1, zero1_law, "zero1", "1.0.0", "ZeRO stage 1: the optimizer's state split over ranks",
                    "partition=greedy|flat")
