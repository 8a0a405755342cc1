#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <ATen/ops/empty.h>

#include "control/json.hpp"
#include "law/pipeline_law.hpp"
#include "law/plan_text.hpp"
#include "model/mlp.hpp"
#include "rank/compare_steps.hpp"
#include "rank/data.hpp"
#include "rank/gradient_record.hpp"
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
        record_(in.record),
        layout_(parameter_layout(spec_.model)),
        plan_(in.plan.get<Plan>()),
        heap_before_(measure::heap_bytes()),
        step_({spec_, plan_, comm_}),
        timed_(comm_) {
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
    GradientWriter shown(record_);
    for (int step = 0; step < spec_.steps; ++step) {
      const at::Tensor batch = batch_slice(spec_, step, 0);
      report.rows_hashes.push_back(hash_of(batch));
      run_step(batch, targets(spec_, rows()), nullptr);
      losses_.emplace_back(step_.losses().begin(), step_.losses().end());
      if (!step_.losses().empty())
        report.losses.push_back(std::accumulate(step_.losses().begin(), step_.losses().end(), 0.0) / divisor());
      for (const double loss : step_.losses()) note_not_finite(report, step, "the loss", loss);
      show_gradients(shown, step, report);
    }
    report_holdings(holdings(), report);
    report.heap.at_rest = measure::heap_bytes() - heap_before_;
  }

  void compare_with(const Reference& reference, RankReport& report) override {
    report.loss_difference = compare_losses(reference, losses_, 0);
    report.gradients_difference = compare_gradients(reference, record_, spec_.steps - 1);
    ElementComparison parameters(layout_, {reference.parameters});
    for (const Parameter* p : parameters_) {
      const std::span<const float> values(p->value.const_data_ptr<float>(), static_cast<std::size_t>(p->value.numel()));
      parameters.add(values, layout_.offset_of(p->name));
      if (const auto at = first_not_finite(values); at >= 0)
        note_not_finite(report, spec_.steps - 1, element_text(layout_, layout_.offset_of(p->name) + at),
                        values[static_cast<std::size_t>(at)]);
    }
    report.parameters_difference = parameters.result();
    report.parameters_difference.step = spec_.steps;
    copy_findings(reference, report);
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
    timed_.before_step();
    const auto start = Clock::now();
    StepTime time;
    time.update = run_step(timed_batch_, timed_targets_, nullptr);
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    timed_.after_step();
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

  void conclude(const Reference* reference, RankReport& report) override {
    timed_.report(report);
    report.timed.optimizer_steps = optimizer_steps(holdings());
    std::uint64_t hash = hash_of(at::empty({0}));
    EndComparison end(reference, layout_);
    for (const Parameter* p : parameters_) {
      hash = hash_of(p->value, hash);
      end.add({p->value.const_data_ptr<float>(), static_cast<std::size_t>(p->value.numel())},
              layout_.offset_of(p->name));
    }
    report.timed.parameters_hash = hash;
    end.report(spec_.steps + 1 + static_cast<int>(report.timed.steps), report.timed);
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

  void show_gradients(GradientWriter& shown, int step, RankReport& report) const {
    std::vector<GradientWriter::Piece> pieces;
    for (const Parameter* p : parameters_) pieces.push_back({layout_.offset_of(p->name), p->gradient});
    note_not_finite(report, step, layout_, pieces);
    if (step == 0 || step == spec_.steps - 1) shown.add(step, pieces, {});
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
  std::filesystem::path record_;
  ParameterLayout layout_;
  Plan plan_;
  std::int64_t heap_before_;  ///< before there are stages
  PipelineStep step_;
  std::vector<Parameter*> parameters_;
  std::optional<Optimizer> optimizer_;
  std::vector<std::vector<double>> losses_;  ///< by checked step and microbatch; of the last stage
  at::Tensor timed_batch_, timed_targets_;
  TimedSteps timed_;
};

}  // namespace

std::unique_ptr<RankProgram> make_pipeline(const ProgramInput& in) { return std::make_unique<Pipeline>(in); }

}  // namespace shardbench
