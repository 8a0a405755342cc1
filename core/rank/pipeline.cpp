#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include "control/json.hpp"
#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "law/stages.hpp"
#include "model/mlp.hpp"
#include "rank/data.hpp"
#include "rank/layer_graph.hpp"
#include "rank/observe.hpp"
#include "rank/program.hpp"
#include "shardbench/optimizer.hpp"

namespace shardbench {
namespace {

/// One stage of the model on this rank.
struct Stage {
  int index = 0;
  int first_layer = 0;
  std::vector<std::unique_ptr<Layer>> layers;
};

/// What is alive of one (stage, microbatch) between its actions.
struct InFlight {
  at::Tensor input;                ///< received, not used yet
  at::Tensor output;               ///< made, not sent yet
  at::Tensor output_gradient;      ///< received or made, not used yet
  at::Tensor input_gradient;       ///< made, not sent yet
  std::vector<LayerGraph> graphs;  ///< between forward and backward
};

/// A pipeline rank: runs the actions of its lowered plan in their order, each tensor released by the action that uses
/// it last. Sends are left in flight and collected as soon as the plan implies that they are done (`release_points`);
/// receives are allocated when the plan comes to them.
class Pipeline final : public RankProgram {
 public:
  explicit Pipeline(const ProgramInput& in)
      : spec_(in.spec),
        comm_(in.comm),
        reference_(in.reference),
        plan_(in.plan.get<Plan>()),
        rows_(spec_.batch / spec_.horizon) {
    const int stages = static_cast<int>(plan_.placement.size());
    for (int s = 0; s < stages; ++s) {
      if (plan_.placement[static_cast<std::size_t>(s)] != comm_.rank()) continue;
      const StageLayers part = stage_layers(spec_.model.layers(), stages, s);
      stages_.push_back({s, part.first, make_layers(spec_.model, spec_.seed, part.first, part.count)});
    }
    std::vector<at::Tensor> values;
    for (const Stage& stage : stages_)
      for (const auto& layer : stage.layers)
        for (Parameter& p : layer->parameters()) {
          values.push_back(p.value);
          parameters_.push_back(&p);
        }
    if (spec_.optimize) optimizer_.emplace(spec_.optimizer, values);
    const std::vector<int> points = release_points(plan_, comm_.rank());
    sends_at_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] >= 0) sends_at_[static_cast<std::size_t>(points[i])].push_back(i);
  }

  void train(RankReport& report) override {
    Difference& difference = report.loss_difference;
    difference.bitwise = true;
    for (int step = 0; step < spec_.steps; ++step) {
      const at::Tensor batch = batch_slice(spec_, step, 0);
      report.rows_hashes.push_back(hash_of(batch));
      run_step(batch, targets(spec_, rows_), nullptr);
      if (losses_.empty()) continue;
      const auto& wanted = reference_.losses.at(static_cast<std::size_t>(step));
      difference.compared = true;
      for (std::size_t m = 0; m < wanted.size(); ++m) {
        const double off = std::abs(losses_.at(static_cast<int>(m)) - wanted[m]);
        difference.max_abs = std::max(difference.max_abs, off);
        difference.max_tolerated_ratio =
            std::max(difference.max_tolerated_ratio, off / (1e-5 + 1e-5 * std::abs(wanted[m])));
        difference.bitwise = difference.bitwise && off == 0;
      }
      double sum = 0;
      for (const auto& [microbatch, loss] : losses_) sum += loss;
      report.losses.push_back(sum / spec_.horizon);
    }
    compare(report);
    report_holdings(holdings(), report);
  }

  void audit(RankReport& report) override {
    const at::Tensor batch = batch_slice(spec_, spec_.steps, 0);
    const at::Tensor target = targets(spec_, rows_);
    executed_.clear();
    audit_step(comm_, report, [&] {
      auditing_ = true;
      run_step(batch, target, nullptr);
      auditing_ = false;
    });
    for (const Action& a : executed_) report.executed.push_back(text(a));
    report.executed_in_flight = peak_in_flight_;
    predict_saved(report);
  }

  StepTime time_step() override {
    if (!timed_batch_.defined()) {
      timed_batch_ = batch_slice(spec_, spec_.steps + 1, 0);
      timed_targets_ = targets(spec_, rows_);
    }
    comm_.barrier();
    comm_.reset_counters();
    StepTime time;
    const auto start = Clock::now();
    run_step(timed_batch_, timed_targets_, &time);
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    return time;
  }

 private:
  int last_stage() const { return static_cast<int>(plan_.placement.size()) - 1; }
  int home(int stage) const { return plan_.placement[static_cast<std::size_t>(stage)]; }
  Stage& stage(int index) {
    return *std::find_if(stages_.begin(), stages_.end(), [&](const Stage& s) { return s.index == index; });
  }
  /// One tag per message of a step: direction, sending stage, microbatch.
  std::uint32_t tag_of(bool forward, int sender, int microbatch) const {
    return static_cast<std::uint32_t>(((microbatch * (last_stage() + 1)) + sender) * 2 + (forward ? 0 : 1));
  }
  std::int64_t width_before(int stage_index) const {
    const StageLayers part = stage_layers(spec_.model.layers(), last_stage() + 1, stage_index);
    return spec_.model.widths[static_cast<std::size_t>(part.first)];
  }

  void run_step(const at::Tensor& batch, const at::Tensor& target, StepTime* time) {
    for (Parameter* p : parameters_) p->gradient.reset();
    losses_.clear();
    now_in_flight_ = peak_in_flight_ = 0;
    const auto& actions = plan_.ranks[static_cast<std::size_t>(comm_.rank())].actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const Action& action = actions[i];
      if (auditing_) {
        measure::next_phase(text(action));
        if (action.kind <= ActionKind::backward_weight) executed_.push_back(action);
      }
      const auto start = Clock::now();
      action_ = i;
      run(action, batch, target);
      for (const std::size_t send : sends_at_[i]) collect(send);
      if (time != nullptr && action.kind == ActionKind::forward) time->forward += seconds_since(start);
      if (time != nullptr && action.kind == ActionKind::backward) time->backward += seconds_since(start);
    }
    while (!sends_.empty()) collect(sends_.begin()->first);
    const auto start = Clock::now();
    for (Parameter* p : parameters_) p->gradient.div_(spec_.horizon);
    if (optimizer_) {
      std::vector<at::Tensor> gradients;
      for (const Parameter* p : parameters_) gradients.push_back(p->gradient);
      optimizer_->step(gradients);
    }
    if (time != nullptr) time->update = seconds_since(start);
  }

  void run(const Action& a, const at::Tensor& batch, const at::Tensor& target) {
    InFlight& state = in_flight_[{a.stage, a.microbatch}];
    switch (a.kind) {
      case ActionKind::forward: forward(a, state, batch, target); return;
      case ActionKind::backward:
        backward(a, state);
        if (a.stage == 0 || home(a.stage - 1) == comm_.rank()) in_flight_.erase({a.stage, a.microbatch});
        return;
      case ActionKind::recv_forward:
        state.input = receive(width_before(a.stage), home(a.stage - 1), tag_of(true, a.stage - 1, a.microbatch));
        return;
      case ActionKind::recv_backward:
        state.output_gradient =
            receive(width_before(a.stage + 1), home(a.stage + 1), tag_of(false, a.stage + 1, a.microbatch));
        return;
      case ActionKind::send_forward:
        send(std::move(state.output), home(a.stage + 1), tag_of(true, a.stage, a.microbatch));
        return;
      case ActionKind::send_backward:
        send(std::move(state.input_gradient), home(a.stage - 1), tag_of(false, a.stage, a.microbatch));
        in_flight_.erase({a.stage, a.microbatch});
        return;
      default: throw Error("action " + text(a) + " is not one that a rank runs", "the schedule's plan", "use F and B");
    }
  }

  void forward(const Action& a, InFlight& state, const at::Tensor& batch, const at::Tensor& target) {
    const RoleScope scope(Role::activations);
    peak_in_flight_ = std::max(peak_in_flight_, ++now_in_flight_);
    at::Tensor h = a.stage == 0 ? batch.narrow(0, a.microbatch * rows_, rows_) : std::move(state.input);
    state.input.reset();
    bool needs_gradient = a.stage > 0;
    for (const auto& layer : stage(a.stage).layers) {
      state.graphs.push_back(LayerGraph::forward(*layer, h, needs_gradient, h));
      needs_gradient = true;
    }
    if (a.stage == last_stage()) {
      at::Tensor value;
      state.graphs.push_back(LayerGraph::loss(spec_.model, h, target, value));
      losses_[a.microbatch] = value.item<double>();
    } else if (home(a.stage + 1) == comm_.rank()) {
      in_flight_[{a.stage + 1, a.microbatch}].input = std::move(h);
    } else {
      state.output = std::move(h);
    }
  }

  void backward(const Action& a, InFlight& state) {
    --now_in_flight_;
    at::Tensor gradient = std::move(state.output_gradient);
    if (a.stage == last_stage()) {
      const RoleScope scope(Role::activations);
      gradient = std::move(state.graphs.back()).backward(at::ones({})).input;
      state.graphs.pop_back();
    }
    auto& layers = stage(a.stage).layers;
    for (std::size_t l = layers.size(); l-- > 0;) {
      LayerGraph::Gradients gradients = std::move(state.graphs.back()).backward(std::move(gradient));
      state.graphs.pop_back();
      for (std::size_t i = 0; i < gradients.parameters.size(); ++i)
        accumulate(layers[l]->parameters()[i], std::move(gradients.parameters[i]));
      gradient = std::move(gradients.input);
      tag(gradient, Role::activations);
    }
    if (a.stage > 0 && home(a.stage - 1) == comm_.rank()) {
      in_flight_[{a.stage - 1, a.microbatch}].output_gradient = std::move(gradient);
    } else {
      state.input_gradient = std::move(gradient);
    }
  }

  static void accumulate(Parameter& p, at::Tensor gradient) {
    if (p.gradient.defined()) {
      p.gradient.add_(gradient);
    } else {
      p.gradient = gradient.contiguous();
      tag(p.gradient, Role::gradients);
    }
  }

  at::Tensor receive(std::int64_t width, int peer, std::uint32_t tag_number) {
    at::Tensor buffer;
    {
      const RoleScope scope(Role::communication);
      buffer = at::empty({rows_, width});
    }
    buffer = comm_.recv(buffer, peer, tag_number).wait();
    tag(buffer, Role::activations);
    return buffer;
  }

  void send(at::Tensor tensor, int peer, std::uint32_t tag_number) {
    sends_.emplace(action_, comm_.send(tensor.contiguous(), peer, tag_number));
  }

  /// Waits for the send that action `index` started and lets its tensor go.
  void collect(std::size_t index) {
    const auto send = sends_.find(index);
    send->second.wait();
    sends_.erase(send);
  }

  Holdings holdings() const {
    Holdings all = optimizer_ ? optimizer_->state() : Holdings{};
    for (const Parameter* p : parameters_) {
      all.push_back({Role::weights, p->name, p->value});
      all.push_back({Role::gradients, p->name, p->gradient});
    }
    return all;
  }

  void compare(RankReport& report) const {
    Comparison gradients(reference_, reference_.gradients, gradient_tolerance(reference_, spec_));
    Comparison parameters(reference_, reference_.parameters, parameter_tolerance);
    for (const Parameter* p : parameters_) {
      const auto name = std::find(reference_.names.begin(), reference_.names.end(), p->name);
      const std::int64_t offset = reference_.offsets[static_cast<std::size_t>(name - reference_.names.begin())];
      gradients.add(p->gradient.const_data_ptr<float>(), offset, p->gradient.numel());
      parameters.add(p->value.const_data_ptr<float>(), offset, p->value.numel());
    }
    report.gradients_difference = gradients.result();
    report.parameters_difference = parameters.result();
  }

  /// Saved tensors by the plan: those of one microbatch (layers and loss) times what is in flight.
  void predict_saved(RankReport& report) {
    std::map<int, std::pair<std::uint64_t, std::uint64_t>> per_microbatch;  // by stage: tensors, bytes
    for (const Stage& s : stages_) {
      auto& [tensors, bytes] = per_microbatch[s.index];
      for (std::size_t l = 0; l < s.layers.size(); ++l) {
        const LayerShape shape = s.layers[l]->shape(rows_, s.index > 0 || l > 0);
        tensors += shape.saves;
        bytes += shape.saves_bytes;
      }
      if (s.index < last_stage()) continue;
      const LossShape loss = loss_shape(spec_.model, rows_);
      tensors += loss.saves;
      bytes += loss.saves_bytes;
    }
    std::uint64_t now = 0, now_bytes = 0;
    for (const Action& a : plan_.ranks[static_cast<std::size_t>(comm_.rank())].actions) {
      const auto& [tensors, bytes] = per_microbatch[a.stage];
      if (a.kind == ActionKind::forward) {
        report.predicted_saved_total += tensors;
        report.predicted_saved_peak = std::max(report.predicted_saved_peak, now += tensors);
        report.predicted_saved_peak_bytes = std::max(report.predicted_saved_peak_bytes, now_bytes += bytes);
      }
      if (a.kind == ActionKind::backward) {
        now -= tensors;
        now_bytes -= bytes;
      }
    }
  }

  const Case& spec_;
  Communicator& comm_;
  const Reference& reference_;
  Plan plan_;
  std::int64_t rows_;  ///< of one microbatch
  std::vector<Stage> stages_;
  std::vector<Parameter*> parameters_;
  std::optional<Optimizer> optimizer_;
  std::map<std::pair<int, int>, InFlight> in_flight_;
  std::map<std::size_t, Pending> sends_;            ///< in flight, by the index of their action
  std::vector<std::vector<std::size_t>> sends_at_;  ///< sends that are surely done after each action (release_points)
  std::size_t action_ = 0;                          ///< index of the action that runs
  std::map<int, double> losses_;                    ///< by microbatch, on the rank of the last stage
  std::vector<Action> executed_;
  int now_in_flight_ = 0, peak_in_flight_ = 0;
  at::Tensor timed_batch_, timed_targets_;
  bool auditing_ = false;
};

}  // namespace

std::unique_ptr<RankProgram> make_pipeline(const ProgramInput& in) { return std::make_unique<Pipeline>(in); }

}  // namespace shardbench
