#include "rank/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

#include <ATen/ops/ones_like.h>

#include "control/channel.hpp"
#include "law/stages.hpp"
#include "model/mlp.hpp"
#include "rank/data.hpp"
#include "rank/layer_graph.hpp"
#include "shardbench/error.hpp"
#include "shardbench/optimizer.hpp"

namespace shardbench {
namespace {

/// Layers whose gradients are summed in the same order of slices.
struct Order {
  std::vector<int> slices;
  std::vector<bool> layers;  ///< by layer: it is one of them
};

std::vector<Order> distinct_orders(const std::vector<std::vector<int>>& by_stage, int layers, int slices) {
  const auto count = static_cast<std::size_t>(layers);
  if (by_stage.empty()) {
    std::vector<int> ascending(static_cast<std::size_t>(slices));
    std::iota(ascending.begin(), ascending.end(), 0);
    return {{ascending, std::vector<bool>(count, true)}};
  }
  std::vector<Order> all;
  for (std::size_t s = 0; s < by_stage.size(); ++s) {
    auto order = std::find_if(all.begin(), all.end(), [&](const Order& o) { return o.slices == by_stage[s]; });
    if (order == all.end()) order = all.insert(all.end(), {by_stage[s], std::vector<bool>(count, false)});
    const StageLayers part = stage_layers(layers, static_cast<int>(by_stage.size()), static_cast<int>(s));
    std::fill_n(order->layers.begin() + part.first, part.count, true);
  }
  return all;
}

/// Adds the gradients of one slice of the batch to `sums`, in parameter order, for some of the layers; the slice's
/// loss.
double slice_gradients(const Case& spec, std::vector<std::unique_ptr<Layer>>& layers, const std::vector<bool>& wanted,
                       const at::Tensor& rows, std::vector<at::Tensor>& sums) {
  std::vector<LayerGraph> graphs;
  at::Tensor h = rows;
  for (std::size_t l = 0; l < layers.size(); ++l) graphs.push_back(LayerGraph::forward(*layers[l], h, l > 0, h));
  at::Tensor value;
  LayerGraph loss = LayerGraph::loss(spec.model, h, targets(spec, rows.size(0)), value);
  at::Tensor gradient = std::move(loss).backward(at::ones_like(value)).input;
  std::size_t next = sums.size();
  for (std::size_t l = layers.size(); l-- > 0;) {
    auto gradients = std::move(graphs[l]).backward(std::move(gradient));
    next -= gradients.parameters.size();
    for (std::size_t i = 0; i < gradients.parameters.size() && wanted[l]; ++i) {
      at::Tensor& sum = sums[next + i];
      if (sum.defined())
        sum.add_(gradients.parameters[i]);
      else
        sum = gradients.parameters[i].contiguous();
    }
    gradient = std::move(gradients.input);
  }
  return value.item<double>();
}

void append(std::vector<float>& flat, const at::Tensor& t) {
  const auto* data = t.const_data_ptr<float>();
  flat.insert(flat.end(), data, data + t.numel());
}

void write(std::ofstream& out, const std::vector<float>& values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
}

std::vector<float> read(std::ifstream& in, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

/// A factor of all numbers is looked for among those of at least this part of the largest, where roundings are small
/// against it, and is a factor when it is the same for all within `ratio_error`.
constexpr double small_part = 0.01, ratio_error = 1e-3;

}  // namespace

Reference Reference::compute(const Case& spec, const std::vector<std::vector<int>>& by_stage) {
  auto layers = make_layers(spec.model, spec.seed, 0, spec.model.layers());
  Reference reference;
  std::vector<at::Tensor> values;
  reference.offsets.push_back(0);
  for (const auto& layer : layers)
    for (const Parameter& p : layer->parameters()) {
      reference.names.push_back(p.name);
      reference.offsets.push_back(reference.offsets.back() + p.value.numel());
      values.push_back(p.value);
    }
  for (const at::Tensor& v : values) append(reference.parameters_first, v);
  Optimizer optimizer(spec.optimizer, values);
  const bool training = spec.program == Program::training;
  const int slices = training ? spec.world : spec.horizon;
  const int divisor = training ? slices : loss_divisor(spec.model.loss, slices);
  const std::vector<Order> orders = distinct_orders(by_stage, spec.model.layers(), slices);
  std::vector<at::Tensor> gradients;
  for (int step = 0; step < spec.steps; ++step) {
    gradients.assign(values.size(), at::Tensor());
    const at::Tensor batch = training ? at::Tensor() : batch_slice(spec, step, 0);
    auto& losses = reference.losses.emplace_back(static_cast<std::size_t>(slices));
    auto& hashes = reference.rows_hashes.emplace_back(static_cast<std::size_t>(slices));
    for (const Order& order : orders)
      for (const int s : order.slices) {
        const at::Tensor rows =
            training ? batch_slice(spec, step, s) : batch.narrow(0, s * (spec.batch / slices), spec.batch / slices);
        hashes[static_cast<std::size_t>(s)] = hash_of(rows);
        losses[static_cast<std::size_t>(s)] = slice_gradients(spec, layers, order.layers, rows, gradients);
      }
    for (at::Tensor& g : gradients) g.div_(divisor);
    if (step == spec.steps - 1)
      for (const at::Tensor& v : values) append(reference.parameters_before, v);
    if (spec.optimize) optimizer.step(gradients);
  }
  for (const at::Tensor& g : gradients) append(reference.gradients, g);
  for (const at::Tensor& v : values) append(reference.parameters, v);
  return reference;
}

// A message (control/channel.hpp) with the small things, then the four flat arrays as they lie in memory.

void Reference::save(const std::filesystem::path& file) const {
  std::ofstream out(file, std::ios::binary);
  out << encode({{"losses", losses}, {"rows", rows_hashes}, {"names", names}, {"offsets", offsets}});
  for (const auto* values : {&gradients, &parameters, &parameters_before, &parameters_first}) write(out, *values);
  if (!out.flush()) throw Error("cannot write the reference run", file.string(), "make room in the temporary folder");
}

Reference Reference::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  char header[4] = {};
  in.read(header, sizeof header);
  std::string body(body_length(header), '\0');
  in.read(body.data(), static_cast<std::streamsize>(body.size()));
  if (!in) throw Error("cannot read the reference run", file.string());
  const Message j = decode(body);
  Reference r;
  j.at("losses").get_to(r.losses);
  j.at("rows").get_to(r.rows_hashes);
  j.at("names").get_to(r.names);
  j.at("offsets").get_to(r.offsets);
  for (auto* values : {&r.gradients, &r.parameters, &r.parameters_before, &r.parameters_first})
    *values = read(in, r.elements());
  if (!in) throw Error("the reference run is cut short", file.string());
  return r;
}

Tolerance gradient_tolerance(const Reference& reference, const Case& spec) {
  double largest = 0;
  for (const float g : reference.gradients) largest = std::max(largest, std::abs(static_cast<double>(g)));
  const int slices = spec.program == Program::training ? spec.world : spec.horizon;
  return {1.3e-6, 8 * slices * largest / (1 << 24)};
}

Comparison::Comparison(const Reference& reference, const std::vector<float>& wanted, Tolerance tolerance,
                       std::vector<std::span<const float>> mistakes)
    : reference_(reference), wanted_(wanted), tolerance_(tolerance), mistakes_(std::move(mistakes)) {
  difference_.bitwise = true;
  for (const float w : wanted_) largest_ = std::max(largest_, std::abs(static_cast<double>(w)));
}

void Comparison::add(const float* got, std::int64_t offset, std::int64_t count) {
  if (offset < 0 || offset + count > static_cast<std::int64_t>(wanted_.size()))
    throw Error("a piece of " + std::to_string(count) + " elements at " + std::to_string(offset) +
                " does not fit a model of " + std::to_string(wanted_.size()) + " elements");
  difference_.compared = true;
  const float* want = wanted_.data() + offset;
  if (count == 0) return;
  if (std::memcmp(got, want, static_cast<std::size_t>(count) * sizeof(float)) == 0) {
    any_right_ = true;
    return;
  }
  difference_.bitwise = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const double w = want[i];
    for (auto& mistake : mistakes_)
      if (!mistake.empty() && got[i] != want[i] && got[i] != mistake[static_cast<std::size_t>(offset + i)])
        mistake = {};
    if (std::abs(w) >= small_part * largest_ && largest_ > 0) {
      const double ratio = got[i] / w;
      least_ratio_ = any_ratio_ ? std::min(least_ratio_, ratio) : ratio;
      greatest_ratio_ = any_ratio_ ? std::max(greatest_ratio_, ratio) : ratio;
      any_ratio_ = true;
    }
    const double d = std::isnan(got[i]) ? INFINITY : std::abs(got[i] - w);
    difference_.max_tolerated_ratio =
        std::max(difference_.max_tolerated_ratio, d / (tolerance_.absolute + tolerance_.relative * std::abs(w)));
    if (d > difference_.max_abs || worst_ < 0) {
      difference_.max_abs = d;
      worst_ = offset + i;
    }
  }
}

Difference Comparison::result() const {
  Difference d = difference_;
  if (worst_ < 0) return d;
  const auto known = std::find_if(mistakes_.begin(), mistakes_.end(), [](const auto& m) { return !m.empty(); });
  d.known_mistake = known == mistakes_.end() ? 0 : static_cast<int>(known - mistakes_.begin()) + 1;
  const double ratio = (least_ratio_ + greatest_ratio_) / 2;
  const bool constant = any_ratio_ && !any_right_ && greatest_ratio_ - least_ratio_ <= ratio_error * std::abs(ratio);
  if (constant && std::abs(ratio - 1) > ratio_error) d.multiple = ratio;
  const auto after = std::upper_bound(reference_.offsets.begin(), reference_.offsets.end(), worst_);
  const auto tensor = static_cast<std::size_t>(after - reference_.offsets.begin()) - 1;
  d.where = reference_.names[tensor] + "[" + std::to_string(worst_ - reference_.offsets[tensor]) + "]";
  return d;
}

}  // namespace shardbench
