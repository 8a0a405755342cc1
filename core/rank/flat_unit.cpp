#include "shardbench/flat_unit.hpp"

#include <algorithm>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "shardbench/law.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

std::int64_t sum_of_elements(const std::vector<Parameter*>& parameters) {
  std::int64_t n = 0;
  for (const Parameter* p : parameters) n += p->value.numel();
  return n;
}

/// The part of a flat tensor that has a parameter's elements, in its shape, as a tensor of its own.
at::Tensor view_of(const at::Tensor& flat, std::int64_t offset, const at::Tensor& like) {
  return flat.detach().narrow(0, offset, like.numel()).view(like.sizes());
}

std::vector<Parameter*> parameters_of(const Unit& unit) { return {unit.parameters().begin(), unit.parameters().end()}; }

}  // namespace

FlatParameters::FlatParameters(std::vector<Parameter*> parameters, std::int64_t padding)
    : parameters_(std::move(parameters)), elements_(sum_of_elements(parameters_)) {
  const RoleScope scope(Role::weights);
  values_ = at::zeros({elements_ + padding});
  std::int64_t offset = 0;
  for (Parameter* p : parameters_) {
    at::Tensor view = view_of(values_, offset, p->value);
    view.copy_(p->value.detach());
    p->value = view.requires_grad_(true);
    offsets_.push_back(offset);
    offset += view.numel();
  }
}

std::vector<at::Tensor> FlatParameters::parameter_values() const {
  std::vector<at::Tensor> values;
  for (const Parameter* p : parameters_) values.push_back(p->value);
  return values;
}

std::vector<at::Tensor> FlatParameters::parameter_gradients() const {
  std::vector<at::Tensor> gradients;
  for (const Parameter* p : parameters_) gradients.push_back(p->gradient);
  return gradients;
}

at::Tensor FlatParameters::make_gradients() {
  const RoleScope scope(Role::gradients);
  at::Tensor gradients = at::empty({values_.numel()});
  if (values_.numel() > elements_) gradients.narrow(0, elements_, values_.numel() - elements_).zero_();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    at::Tensor& gradient = parameters_[i]->gradient;
    const at::Tensor place = view_of(gradients, offsets_[i], parameters_[i]->value);
    if (gradient.defined()) place.copy_(gradient);
    gradient = place;
  }
  return gradients;
}

void FlatParameters::drop_gradients() {
  for (Parameter* p : parameters_) p->gradient.reset();
}

FlatUnit::FlatUnit(Unit& unit, Communicator& comm, const OptimizerSpec& optimizer)
    : comm_(comm),
      unit_(unit.index()),
      elements_(sum_of_elements(parameters_of(unit))),
      shard_elements_(static_cast<std::int64_t>(shard_elements(static_cast<std::uint64_t>(elements_), comm.world()))),
      whole_(parameters_of(unit), shard_elements_ * comm.world() - elements_),
      shard_([&] {
        const RoleScope scope(Role::weights);
        if (comm.world() == 1) return whole_.values();
        return whole_.values().narrow(0, shard_elements_ * comm.rank(), shard_elements_).clone();
      }()),
      optimizer_(optimizer, {shard_}) {
  release();
}

void FlatUnit::gather() {
  if (gathered_) return;
  restore_storage(whole_.values(), static_cast<std::uint64_t>(shard_elements_ * comm_.world()) * sizeof(float),
                  Role::weights);
  comm_.all_gather(shard_, whole_.values());
  gathered_ = true;
}

void FlatUnit::release() {
  if (!gathered_ || comm_.world() == 1) return;
  release_storage(whole_.values());
  gathered_ = false;
}

void FlatUnit::make_gradients() { whole_gradient_ = whole_.make_gradients(); }

void FlatUnit::reduce_scatter_gradients() {
  if (comm_.world() == 1) {
    gradient_ = whole_gradient_;
  } else {
    const RoleScope scope(Role::gradients);
    gradient_ = at::empty({shard_elements_});
    comm_.reduce_scatter(whole_gradient_, gradient_);
    gradient_.div_(comm_.world());
  }
  whole_.drop_gradients();
  whole_gradient_.reset();
}

Holdings FlatUnit::holdings() const {
  Holdings all = optimizer_.state();
  all.push_back({Role::weights, "shard of unit " + std::to_string(unit_), shard_});
  if (gradient_.defined())
    all.push_back({Role::gradients, "gradient shard of unit " + std::to_string(unit_), gradient_});
  return all;
}

GradientPiece FlatUnit::gradient() const {
  const std::int64_t begin = std::min(shard_elements_ * comm_.rank(), elements_);
  const std::int64_t end = std::min(begin + shard_elements_, elements_);
  return {unit_, begin, gradient_.narrow(0, 0, end - begin)};
}

std::vector<Parameter*> parameters_of(std::span<Unit> units) {
  std::vector<Parameter*> all;
  for (const Unit& unit : units) all.insert(all.end(), unit.parameters().begin(), unit.parameters().end());
  return all;
}

std::vector<GradientPiece> whole_gradients(std::span<Unit> units) {
  std::vector<GradientPiece> pieces;
  for (const Unit& unit : units) {
    std::int64_t begin = 0;
    for (const Parameter* p : unit.parameters()) {
      pieces.push_back({unit.index(), begin, p->gradient.reshape({-1})});
      begin += p->gradient.numel();
    }
  }
  return pieces;
}

std::vector<GradientPiece> gradient_pieces(std::span<Unit> units, const FlatParameters& flat,
                                           const at::Tensor& gradients, std::int64_t begin, std::int64_t end) {
  std::vector<GradientPiece> pieces;
  for (const Unit& unit : units) {
    std::int64_t in_unit = 0;
    for (const Parameter* p : unit.parameters()) {
      const auto all = flat.parameters();
      const auto at = flat.offset(static_cast<std::size_t>(std::find(all.begin(), all.end(), p) - all.begin()));
      const std::int64_t from = std::max(begin, at), to = std::min(end, at + p->value.numel());
      if (from < to) pieces.push_back({unit.index(), in_unit + from - at, gradients.narrow(0, from, to - from)});
      in_unit += p->value.numel();
    }
  }
  return pieces;
}

FlatUnits make_flat_units(const StrategyInput& in) {
  FlatUnits all;
  for (Unit& unit : in.units) all.push_back(std::make_unique<FlatUnit>(unit, in.comm, in.optimizer));
  return all;
}

Holdings holdings_of(const FlatUnits& units) {
  Holdings all;
  for (const auto& unit : units) {
    Holdings some = unit->holdings();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<GradientPiece> gradients_of(const FlatUnits& units) {
  std::vector<GradientPiece> pieces;
  for (const auto& unit : units) pieces.push_back(unit->gradient());
  return pieces;
}

}  // namespace shardbench
