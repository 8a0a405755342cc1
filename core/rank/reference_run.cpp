#include "rank/reference_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>

#include "law/stages.hpp"
#include "rank/data.hpp"
#include "rank/layer_graph.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

double gradient_bound(int terms, double sum_of_magnitudes) {
  const double half_ulp = 0x1p-24, roundings = terms + 4;
  const double relative = roundings * half_ulp / (1 - roundings * half_ulp);
  return relative * sum_of_magnitudes / terms + roundings * 0x1p-150;
}

std::vector<ReferenceRun::Order> ReferenceRun::orders_of(const ReferenceInput& in, int slices) {
  const int layers = in.spec.model.layers();
  const auto count = static_cast<std::size_t>(layers);
  if (in.orders.empty()) {
    std::vector<int> ascending(static_cast<std::size_t>(slices));
    std::iota(ascending.begin(), ascending.end(), 0);
    return {{ascending, std::vector<bool>(count, true)}};
  }
  std::vector<Order> all;
  for (std::size_t s = 0; s < in.orders.size(); ++s) {
    auto order = std::find_if(all.begin(), all.end(), [&](const Order& o) { return o.slices == in.orders[s]; });
    if (order == all.end()) order = all.insert(all.end(), {in.orders[s], std::vector<bool>(count, false)});
    const StageLayers part = stage_layers(layers, static_cast<int>(in.orders.size()), static_cast<int>(s));
    std::fill_n(order->layers.begin() + part.first, part.count, true);
  }
  return all;
}

ReferenceRun::ReferenceRun(const ReferenceInput& in, Rounding rounding)
    : in_(in),
      rounding_(rounding),
      bounded_(!one_order_of_sums(in.spec)),
      layout_(parameter_layout(in.spec.model)),
      slices_(in.spec.program == Program::training ? in.spec.world : in.spec.horizon),
      orders_(orders_of(in, slices_)),
      layers_(make_layers(in.spec.model, in.spec.seed, 0, in.spec.model.layers())),
      readers_(in.shown.begin(), in.shown.end()) {
  for (const auto& layer : layers_)
    for (const Parameter& p : layer->parameters()) values_.push_back(p.value);
  if (in_.spec.optimize) optimizer_ = std::make_unique<Optimizer>(in_.spec.optimizer, values_);
  at_first_ = parameters_now();
  for (int step = 0; step < in_.spec.steps + in_.steps_after; ++step) run_step(step);
  end_ = parameters_now();
}

std::vector<const std::vector<float>*> ReferenceRun::arrays() const {
  std::vector<const std::vector<float>*> all;
  for (const Average* average : {&first_, &last_}) {
    all.push_back(&average->values);
    if (bounded_) all.push_back(&average->bounds);
  }
  all.insert(all.end(), {&parameters_, &before_, &at_first_, &end_});
  return all;
}

std::vector<float> ReferenceRun::parameters_now() const {
  std::vector<float> flat;
  flat.reserve(static_cast<std::size_t>(layout_.elements()));
  for (const at::Tensor& v : values_)
    flat.insert(flat.end(), v.const_data_ptr<float>(), v.const_data_ptr<float>() + v.numel());
  return flat;
}

int ReferenceRun::divisor() const {
  return in_.spec.program == Program::training ? slices_ : loss_divisor(in_.spec.model.loss, slices_);
}

at::Tensor ReferenceRun::rows_of(int step, int slice) const {
  const Case& spec = in_.spec;
  const int batch = batch_of_step(spec, step);
  if (spec.program == Program::training) return batch_slice(spec, batch, slice);
  const std::int64_t rows = spec.batch / slices_;
  return batch_slice(spec, batch, 0).narrow(0, slice * rows, rows);
}

double ReferenceRun::add_slice(const Order& order, const at::Tensor& rows) {
  std::vector<LayerGraph> graphs;
  at::Tensor h = rows;
  for (std::size_t l = 0; l < layers_.size(); ++l) graphs.push_back(LayerGraph::forward(*layers_[l], h, l > 0, h));
  at::Tensor value;
  LayerGraph loss = LayerGraph::loss(in_.spec.model, h, targets(in_.spec, rows.size(0)), value);
  at::Tensor gradient = std::move(loss).backward(at::ones_like(value)).input;
  std::size_t parameter = values_.size();
  for (std::size_t l = layers_.size(); l-- > 0;) {
    auto gradients = std::move(graphs[l]).backward(std::move(gradient));
    parameter -= gradients.parameters.size();
    for (std::size_t i = 0; i < gradients.parameters.size() && order.layers[l]; ++i)
      add_gradient(parameter + i, gradients.parameters[i]);
    gradient = std::move(gradients.input);
  }
  return value.item<double>();
}

void ReferenceRun::add_gradient(std::size_t parameter, const at::Tensor& gradient) {
  const at::Tensor values = gradient.contiguous();
  if (!bounded_) {
    at::Tensor& sum = sums_[parameter];
    if (sum.defined())
      sum.add_(values);
    else
      sum = values;
    return;
  }
  const auto offset = static_cast<std::size_t>(layout_.offsets[parameter]);
  const auto* data = values.const_data_ptr<float>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(values.numel()); ++i) {
    exact_sums_[offset + i] += data[i];
    magnitudes_[offset + i] += std::abs(data[i]);
  }
}

ReferenceRun::Average ReferenceRun::average() {
  const auto elements = static_cast<std::size_t>(layout_.elements());
  Average average;
  average.values.reserve(elements);
  if (!bounded_) {
    for (at::Tensor& sum : sums_) {
      sum.div_(divisor());
      average.values.insert(average.values.end(), sum.const_data_ptr<float>(),
                            sum.const_data_ptr<float>() + sum.numel());
    }
    return average;
  }
  average.bounds.reserve(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    average.values.push_back(static_cast<float>(exact_sums_[i] / divisor()));
    average.bounds.push_back(static_cast<float>(gradient_bound(slices_, magnitudes_[i])));
  }
  return average;
}

void ReferenceRun::run_step(int step) {
  const Case& spec = in_.spec;
  const bool checked = step < spec.steps, last = step == spec.steps - 1;
  if (bounded_) {
    exact_sums_.assign(static_cast<std::size_t>(layout_.elements()), 0);
    magnitudes_ = exact_sums_;
  } else {
    sums_.assign(values_.size(), at::Tensor());
  }
  std::vector<double> losses(static_cast<std::size_t>(slices_));
  std::vector<std::uint64_t> hashes(losses.size());
  for (const Order& order : orders_)
    for (const int s : order.slices) {
      const at::Tensor rows = rows_of(step, s);
      if (checked) hashes[static_cast<std::size_t>(s)] = hash_of(rows);
      losses[static_cast<std::size_t>(s)] = add_slice(order, rows);
    }
  note_losses(step, losses);
  Average now = average();
  if (checked && bounded_) follow(step, now);
  if (!checked && rounding_ == Rounding::farthest) move_apart(now);
  note(step, "the gradient of ", now.values);
  if (last) before_ = parameters_now();
  if (optimizer_) update(now.values);
  for (std::size_t p = 0; p < values_.size(); ++p)
    note(step, "", {values_[p].const_data_ptr<float>(), static_cast<std::size_t>(values_[p].numel())},
         layout_.offsets[p]);
  if (!checked) return;
  losses_.push_back(std::move(losses));
  rows_hashes_.push_back(std::move(hashes));
  if (last) parameters_ = parameters_now();
  if (step == 0) first_ = now;
  if (last) last_ = std::move(now);
}

/// Takes over what the ranks showed, the lowest rank's where several showed an element, as far as it can be right.
void ReferenceRun::follow(int step, Average& average) {
  std::vector<bool> taken(average.values.size());
  for (GradientReader& reader : readers_) {
    const auto shown = reader.next();
    if (!shown || shown->step != step)
      throw Error("a rank shows no gradients of checked step " + std::to_string(step + 1), in_.spec.id);
    for (const ShownPiece& piece : shown->pieces) {
      const auto begin = static_cast<std::size_t>(piece.begin);
      if (begin > taken.size() || piece.values.size() > taken.size() - begin)
        throw Error("a rank shows gradients of " + std::to_string(piece.values.size()) + " elements from " +
                        std::to_string(piece.begin) + " on, but the model has " + std::to_string(taken.size()),
                    in_.spec.id);
      for (std::size_t i = 0; i < piece.values.size(); ++i) {
        const std::size_t at = begin + i;
        if (taken[at]) continue;
        taken[at] = true;
        const float got = piece.values[i];
        const bool can_overflow =
            magnitudes_[at] > std::numeric_limits<float>::max() || !std::isfinite(magnitudes_[at]);
        const bool within = std::abs(static_cast<double>(got) - average.values[at]) <= average.bounds[at];
        if (within || can_overflow)
          average.values[at] = got;
        else if (refused_gradient_.empty())
          refused_gradient_ = "the gradient of " + element_text(layout_, static_cast<std::int64_t>(at)) +
                              " in checked step " + std::to_string(step + 1) + " is " + number_text(got) +
                              ", but the average is " + number_text(average.values[at]) +
                              " and any order of additions is within " + number_text(average.bounds[at]) + " of it";
      }
    }
  }
}

/// Every element at one end of its bounds, as its number decides: by a multiplicative hash (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4).
void ReferenceRun::move_apart(Average& average) const {
  for (std::size_t i = 0; i < average.values.size(); ++i) {
    const bool up = (static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ULL) >> 63U;
    average.values[i] += up ? average.bounds[i] : -average.bounds[i];
  }
}

void ReferenceRun::note_not_finite(int step, const std::string& where, double value) {
  auto& found = step < in_.spec.steps ? not_finite_ : later_not_finite_;
  if (!not_finite_ && !found) found = NotFinite{step + 1, where, number_text(value)};
}

void ReferenceRun::note_losses(int step, const std::vector<double>& losses) {
  for (const double loss : losses)
    if (!std::isfinite(loss)) note_not_finite(step, "the loss", loss);
}

void ReferenceRun::note(int step, const char* prefix, std::span<const float> values, std::int64_t offset) {
  const std::int64_t at = first_not_finite(values);
  if (at >= 0) note_not_finite(step, prefix + element_text(layout_, offset + at), values[static_cast<std::size_t>(at)]);
}

void ReferenceRun::update(const std::vector<float>& average) {
  std::vector<at::Tensor> gradients;
  for (std::size_t p = 0; p < values_.size(); ++p) {
    gradients.push_back(at::empty(values_[p].sizes()));
    std::copy_n(average.begin() + layout_.offsets[p], values_[p].numel(), gradients.back().mutable_data_ptr<float>());
  }
  optimizer_->step(gradients);
}

}  // namespace shardbench
