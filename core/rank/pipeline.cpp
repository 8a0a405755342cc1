#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "control/json.hpp"
#include "law/pipeline_law.hpp"
#include "law/plan_text.hpp"
#include "model/mlp.hpp"
#include "rank/data.hpp"
#include "rank/observe.hpp"
#include "rank/pipeline_step.hpp"
#include "rank/program.hpp"
#include "shardbench/optimizer.hpp"

namespace shardbench {
namespace {

/// A pipeline rank: its stages under the schedule's plan, their gradients those of the loss of the whole batch, an
/// optimizer.
class Pipeline final : public RankProgram {
 public:
  explicit Pipeline(const ProgramInput& in)
      : spec_(in.spec),
        comm_(in.comm),
        reference_(in.reference),
        plan_(in.plan.get<Plan>()),
        step_({spec_, plan_, comm_}) {
    std::vector<at::Tensor> values;
    for (Stage& stage : step_.stages())
      for (const auto& layer : stage.layers())
        for (Parameter& p : layer->parameters()) {
          values.push_back(p.value);
          parameters_.push_back(&p);
        }
    if (spec_.optimize) optimizer_.emplace(spec_.optimizer, values);
  }

  void train(RankReport& report) override {
    Difference& difference = report.loss_difference;
    difference.bitwise = true;
    for (int step = 0; step < spec_.steps; ++step) {
      const at::Tensor batch = batch_slice(spec_, step, 0);
      report.rows_hashes.push_back(hash_of(batch));
      run_step(batch, targets(spec_, rows()), nullptr);
      const auto& wanted = reference_.losses.at(static_cast<std::size_t>(step));
      double sum = 0;
      for (std::size_t m = 0; m < step_.losses().size(); ++m) {
        const double loss = step_.losses()[m], off = std::abs(loss - wanted.at(m));
        difference.compared = true;
        difference.max_abs = std::max(difference.max_abs, off);
        difference.max_tolerated_ratio =
            std::max(difference.max_tolerated_ratio, off / (1e-5 + 1e-5 * std::abs(wanted[m])));
        difference.bitwise = difference.bitwise && off == 0;
        sum += loss;
      }
      if (difference.compared) report.losses.push_back(sum / divisor());
    }
    compare(report);
    report_holdings(holdings(), report);
  }

  void audit(RankReport& report) override {
    const at::Tensor batch = batch_slice(spec_, spec_.steps, 0);
    const at::Tensor target = targets(spec_, rows());
    StepRecord record;
    audit_step(comm_, report, [&] { run_step(batch, target, &record); });
    for (const Action& a : record.executed) report.executed.push_back(text(a));
    report.executed_in_flight = record.in_flight_until_input;
    report.executed_in_flight_until_weight = record.in_flight_until_weight;
    report.activations_bytes = record.activations_bytes;
    const PipelineLaw law = law_of(batch, target);
    report.law.weights = law.weights;
    report.law.gradients = law.gradients;
    report.law.optimizer = optimizer_bytes();
    report.law.peak = law.peak;
    report.predicted_activations_bytes = law.activations;
    report.predicted_saved_peak = law.saved_peak;
    report.predicted_saved_peak_bytes = law.saved_peak_bytes;
    report.predicted_saved_total = law.saved_total;
  }

  StepTime time_step() override {
    if (!timed_batch_.defined()) {
      timed_batch_ = batch_slice(spec_, spec_.steps + 1, 0);
      timed_targets_ = targets(spec_, rows());
    }
    comm_.barrier();
    comm_.reset_counters();
    const auto start = Clock::now();
    StepTime time;
    time.update = run_step(timed_batch_, timed_targets_, nullptr);
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    add_action_times(time);
    return time;
  }

  std::vector<Span> trace() override {
    time_step();
    std::vector<Span> spans;
    const auto seconds = [](Clock::time_point t) {
      return std::chrono::duration<double>(t.time_since_epoch()).count();
    };
    for (std::size_t i = 0; i < step_.times().size(); ++i)
      spans.push_back({text(step_.actions()[i]), seconds(step_.times()[i].start), seconds(step_.times()[i].end)});
    return spans;
  }

 private:
  std::int64_t rows() const { return spec_.batch / spec_.horizon; }
  /// Of the sum over microbatches, of losses and of gradients.
  int divisor() const { return loss_divisor(spec_.model.loss, spec_.horizon); }

  /// One step; the seconds of its update.
  double run_step(const at::Tensor& batch, const at::Tensor& target, StepRecord* record) {
    for (Parameter* p : parameters_) p->gradient.reset();
    step_.run(batch, target, record);
    const auto start = Clock::now();
    if (record != nullptr) measure::next_phase("update");
    if (divisor() > 1)
      for (Parameter* p : parameters_) p->gradient.div_(divisor());
    if (optimizer_) {
      std::vector<at::Tensor> gradients;
      for (const Parameter* p : parameters_) gradients.push_back(p->gradient);
      optimizer_->step(gradients);
    }
    return seconds_since(start);
  }

  /// Seconds by kind of action, and the mean of each kind on each stage.
  void add_action_times(StepTime& time) const {
    double busy = time.update;
    for (const Stage& stage : step_.stages()) {
      StageTime& mean = time.stages.emplace_back();
      mean.stage = stage.index();
      for (std::size_t i = 0; i < step_.actions().size(); ++i) {
        const Action& a = step_.actions()[i];
        if (a.stage != stage.index() || a.kind > ActionKind::backward_weight) continue;
        const double seconds = std::chrono::duration<double>(step_.times()[i].end - step_.times()[i].start).count();
        busy += seconds;
        (a.kind == ActionKind::forward ? time.forward : time.backward) += seconds;
        double& sum = a.kind == ActionKind::forward          ? mean.forward
                      : a.kind == ActionKind::backward       ? mean.backward
                      : a.kind == ActionKind::backward_input ? mean.input
                                                             : mean.weight;
        sum += seconds / spec_.horizon;
      }
    }
    time.idle = std::max(0.0, time.step - busy);
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

  std::vector<std::uint64_t> tensor_elements() const {
    std::vector<std::uint64_t> elements;
    for (const Parameter* p : parameters_) elements.push_back(static_cast<std::uint64_t>(p->value.numel()));
    return elements;
  }
  std::uint64_t optimizer_bytes() const {
    return spec_.optimize ? optimizer_state_bytes(spec_.optimizer.kind, tensor_elements(), size_of(spec_.dtype)) : 0;
  }

  PipelineLaw law_of(const at::Tensor& batch, const at::Tensor& target) const {
    const LossShape loss = loss_shape(spec_.model, rows());
    PipelineLawInput in{plan_, comm_.rank(), {}, {}, storage_bytes(batch) + storage_bytes(target)};
    in.stages.resize(plan_.placement.size());
    for (const Stage& stage : step_.stages())
      for (const auto& layer : stage.layers()) {
        auto& layers = in.stages[static_cast<std::size_t>(stage.index())];
        layers.push_back(layer->shape(rows(), stage.index() > 0 || !layers.empty()));
      }
    in.loss = {loss.saves, loss.saves_bytes, loss.temporary_bytes, loss.gradient_bytes, spec_.model.loss == Loss::sum};
    in.divides_gradients = divisor() > 1;
    in.optimizer_bytes = optimizer_bytes();
    if (spec_.optimize)
      in.update_temporary = optimizer_temporary_bytes(spec_.optimizer.kind, tensor_elements(), size_of(spec_.dtype));
    return pipeline_law(in);
  }

  const Case& spec_;
  Communicator& comm_;
  const Reference& reference_;
  Plan plan_;
  PipelineStep step_;
  std::vector<Parameter*> parameters_;
  std::optional<Optimizer> optimizer_;
  at::Tensor timed_batch_, timed_targets_;
};

}  // namespace

std::unique_ptr<RankProgram> make_pipeline(const ProgramInput& in) { return std::make_unique<Pipeline>(in); }

}  // namespace shardbench
