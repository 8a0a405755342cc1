#include <algorithm>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include "law/check_law.hpp"
#include "model/mlp.hpp"
#include "rank/compare_steps.hpp"
#include "rank/data.hpp"
#include "rank/gradient_record.hpp"
#include "rank/handed_over.hpp"
#include "rank/law_input.hpp"
#include "rank/layer_graph.hpp"
#include "rank/observe.hpp"
#include "rank/program.hpp"
#include "shardbench/strategy.hpp"

namespace shardbench {
namespace {

/// Training under a strategy: the loop that the strategy's hooks are called from.
class Training final : public RankProgram {
 public:
  explicit Training(const ProgramInput& in)
      : spec_(in.spec),
        comm_(in.comm),
        record_(in.record),
        layout_(parameter_layout(spec_.model)),
        layers_(make_layers(spec_.model, spec_.seed, 0, spec_.model.layers())),
        units_(make_units(layers_, spec_.unit)),
        law_input_(law_input(spec_, layers_, units_, comm_.rank())),
        law_(in.strategy->strategy_law(law_input_)),
        heap_before_(measure::heap_bytes()),
        strategy_(in.strategy->create_strategy({units_, comm_, spec_.optimizer, spec_.options}),
                  in.strategy->destroy_strategy),
        timed_(comm_) {
    check_law(law_, comm_.rank());
    for (const UnitShape& unit : law_input_.units)
      gradient_places_.push_back(static_cast<std::size_t>(gradient_place(law_input_, unit)));
  }

  void train(RankReport& report) override {
    GradientWriter shown(record_);
    for (int step = 0; step < spec_.steps; ++step) {
      const at::Tensor rows = batch_slice(spec_, step, comm_.rank());
      const bool compared = step == 0 || step == spec_.steps - 1;
      Checked checked{step, compared || !one_order_of_sums(spec_) ? &shown : nullptr, compared, report};
      report.losses.push_back(run_step(rows, targets(spec_, spec_.batch), nullptr, &checked));
      note_not_finite(report, step, "the loss", report.losses.back());
      report.rows_hashes.push_back(hash_of(rows));
    }
    shown_hash_ = shown.hash();
    const Holdings holdings = checked_holdings(strategy_->holdings());
    report_holdings(holdings, report);
    report.optimizer_steps = optimizer_steps(holdings);
    report.heap.at_rest = measure::heap_bytes() - heap_before_;
  }

  std::uint64_t shown_hash() const override { return shown_hash_; }

  void compare_with(const Reference& reference, RankReport& report) override {
    const auto slice = static_cast<std::size_t>(comm_.rank());
    std::vector<std::vector<double>> losses;
    for (std::size_t step = 0; step < report.losses.size(); ++step) {
      losses.push_back({report.losses[step]});
      report.reference_rows_hashes.push_back(reference.rows_hashes.at(step).at(slice));
    }
    report.loss_difference = compare_losses(reference, losses, slice);
    report.gradients_difference = compare_gradients(reference, record_, spec_.steps - 1);
    compare_parameters(reference, report);
    copy_findings(reference, report);
  }

  void audit(RankReport& report) override {
    const at::Tensor rows = batch_slice(spec_, spec_.steps, comm_.rank());
    const at::Tensor target = targets(spec_, spec_.batch);
    audit_step(comm_, report, [&] {
      auditing_ = true;
      run_step(rows, target, nullptr, nullptr);
      auditing_ = false;
    });
    report.law = law_;
  }

  StepTime time_step() override {
    if (!timed_rows_.defined()) {
      timed_rows_ = batch_slice(spec_, spec_.steps + 1, comm_.rank());
      timed_targets_ = targets(spec_, spec_.batch);
    }
    timed_.before_step();
    StepTime time;
    const auto start = Clock::now();
    run_step(timed_rows_, timed_targets_, &time, nullptr);
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    timed_.after_step();
    return time;
  }

  void conclude(const Reference* reference, RankReport& report) override {
    timed_.report(report);
    report.timed.optimizer_steps = optimizer_steps(checked_holdings(strategy_->holdings()));
    EndComparison end(reference, layout_);
    report.timed.parameters_hash =
        gather_parameters([&](std::int64_t offset, std::span<const float> numbers) { end.add(numbers, offset); });
    end.report(spec_.steps + 1 + static_cast<int>(report.timed.steps), report.timed);
    const std::int64_t heap = measure::heap_bytes();
    strategy_.reset();
    report.heap.held = heap - measure::heap_bytes();
  }

 private:
  /// A checked step: what is written down of it, and where.
  struct Checked {
    int step;
    GradientWriter* shown;  ///< null: not its gradients
    bool own;               ///< those of its own rows too
    RankReport& report;
  };

  void phase(const char* what, int unit) {
    if (auditing_) measure::next_phase(unit < 0 ? what : std::string(what) + " of unit " + std::to_string(unit));
  }

  /// One step on these rows; the loss. `time`: where phases are wanted; `checked`: where its gradients are.
  double run_step(const at::Tensor& rows, const at::Tensor& target, StepTime* time, Checked* checked) {
    auto mark = Clock::now();
    const auto lap = [&](double StepTime::*phase_time) {
      if (time == nullptr) return;
      time->*phase_time = seconds_since(mark);
      mark = Clock::now();
    };
    if (checked != nullptr && checked->own) own_gradients_.resize(static_cast<std::size_t>(layout_.elements()));
    strategy_->begin_step();
    std::vector<LayerGraph> graphs;
    at::Tensor value = forward(rows, target, graphs);
    lap(&StepTime::forward);
    backward(graphs);
    lap(&StepTime::backward);
    if (checked != nullptr) show_gradients(*checked);
    phase("update", -1);
    strategy_->update();
    lap(&StepTime::update);
    return value.item<double>();
  }

  at::Tensor forward(const at::Tensor& rows, const at::Tensor& target, std::vector<LayerGraph>& graphs) {
    const RoleScope scope(Role::activations);
    at::Tensor h = rows;
    for (Unit& unit : units_) {
      phase("forward", unit.index());
      strategy_->before_forward(unit);
      for (Layer* layer : unit.layers()) {
        require_values(unit, *layer, "forward");
        graphs.push_back(LayerGraph::forward(*layer, h, !graphs.empty(), h));
      }
      strategy_->after_forward(unit);
    }
    phase("loss", -1);
    at::Tensor value;
    graphs.push_back(LayerGraph::loss(spec_.model, h, target, value));
    return value;
  }

  void backward(std::vector<LayerGraph>& graphs) {
    at::Tensor gradient;
    {
      const RoleScope scope(Role::activations);
      gradient = std::move(graphs.back()).backward(at::ones({})).input;
      graphs.pop_back();
    }
    for (std::size_t u = units_.size(); u-- > 0;) {
      Unit& unit = units_[u];
      phase("backward", unit.index());
      strategy_->before_backward(unit);
      for (std::size_t l = unit.layers().size(); l-- > 0;) {
        require_values(unit, *unit.layers()[l], "backward");
        gradient = backward_layer(unit, l, graphs, gradient);
      }
      phase("reduce", unit.index());
      strategy_->after_backward(unit);
    }
  }

  /// The unit's layer `l`: its gradients are stored, that of its input is given.
  at::Tensor backward_layer(Unit& unit, std::size_t l, std::vector<LayerGraph>& graphs, at::Tensor& output_gradient) {
    Layer& layer = *unit.layers()[l];
    LayerGraph::Gradients gradients;
    {
      const RoleScope scope(Role::temporary);
      gradients = std::move(graphs.back()).backward(std::move(output_gradient));
    }
    graphs.pop_back();
    tag(gradients.input, Role::activations);
    if (!own_gradients_.empty()) keep_own_gradients(layer, gradients.parameters);
    if (l == gradient_places_[static_cast<std::size_t>(unit.index())]) strategy_->before_gradients(unit);
    for (std::size_t i = 0; i < layer.parameters().size(); ++i) {
      Parameter& p = layer.parameters()[i];
      if (p.gradient.defined()) {
        p.gradient.copy_(gradients.parameters[i]);
      } else {
        p.gradient = std::move(gradients.parameters[i]);
        tag(p.gradient, Role::gradients);
      }
    }
    return gradients.input;
  }

  /// Refuses to run a layer whose parameters have no memory.
  static void require_values(const Unit& unit, const Layer& layer, const char* pass) {
    for (const Parameter& p : layer.parameters()) {
      const auto end = static_cast<std::size_t>(p.value.storage_offset() + p.value.numel()) * p.value.element_size();
      if (p.value.storage().nbytes() < end)
        throw Error(p.name + " has " + std::to_string(p.value.storage().nbytes()) + " bytes of memory where its " +
                        pass + " needs " + std::to_string(end) + ": unit " + std::to_string(unit.index()) +
                        " is used while it is not gathered",
                    "the strategy", std::string("gather the unit's parameters in before_") + pass);
    }
  }

  /// Copies the gradients of this rank's own rows, before a strategy averages them.
  void keep_own_gradients(const Layer& layer, const std::vector<at::Tensor>& gradients) {
    auto place = own_gradients_.begin() + layout_.offset_of(layer.parameters().front().name);
    for (const at::Tensor& g : gradients) {
      const at::Tensor values = g.contiguous();
      place = std::copy_n(values.const_data_ptr<float>(), values.numel(), place);
    }
  }

  /// Where a unit's parameters begin when all are laid end to end.
  std::int64_t offset_of(int unit) const {
    std::size_t tensors = 0;
    for (int u = 0; u < unit; ++u) tensors += units_[static_cast<std::size_t>(u)].parameters().size();
    return layout_.offsets.at(tensors);
  }

  void show_gradients(Checked& checked) {
    std::vector<GradientWriter::Piece> pieces;
    for (const GradientPiece& piece : checked_pieces(strategy_->gradients(), law_input_))
      pieces.push_back({offset_of(piece.unit) + piece.begin, piece.values});
    note_not_finite(checked.report, checked.step, layout_, pieces);
    if (checked.shown != nullptr) checked.shown->add(checked.step, pieces, own_gradients_);
    std::vector<float>().swap(own_gradients_);  // `= {}` would keep its memory
    if (checked.step < spec_.steps - 1) return;
    for (const auto& [begin, values] : pieces) {
      const auto first = static_cast<std::uint64_t>(begin);
      checked.report.gradient_pieces.push_back({first, first + static_cast<std::uint64_t>(values.numel())});
    }
  }

  void compare_parameters(const Reference& reference, RankReport& report) {
    ElementComparison comparison(layout_, {reference.parameters},
                                 {reference.parameters_before, reference.parameters_first});
    report.parameters_hash = gather_parameters([&](std::int64_t offset, std::span<const float> numbers) {
      comparison.add(numbers, offset);
      if (const auto at = first_not_finite(numbers); at >= 0)
        note_not_finite(report, spec_.steps - 1, element_text(layout_, offset + at),
                        numbers[static_cast<std::size_t>(at)]);
    });
    report.parameters_difference = comparison.result();
    report.parameters_difference.step = spec_.steps;
  }

  /// Shows the numbers of every parameter, and where they begin when all are laid end to end; a hash of them all.
  template <class See>
  std::uint64_t gather_parameters(See see) {
    std::uint64_t hash = hash_of(at::empty({0}));
    for (Unit& unit : units_) {
      strategy_->before_forward(unit);
      require_whole(unit, law_input_);
      std::int64_t offset = offset_of(unit.index());
      for (const Parameter* p : unit.parameters()) {
        const at::Tensor values = p->value.detach().contiguous();
        const std::span<const float> numbers(values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel()));
        hash = hash_of(values, hash);
        see(offset, numbers);
        offset += values.numel();
      }
      strategy_->after_forward(unit);
    }
    strategy_->release_parameters();
    return hash;
  }

  const Case& spec_;
  Communicator& comm_;
  std::filesystem::path record_;
  ParameterLayout layout_;
  Layers layers_;
  std::vector<Unit> units_;
  LawInput law_input_;
  Law law_;
  std::vector<std::size_t> gradient_places_;  ///< by unit: the layer at which before_gradients is called
  std::int64_t heap_before_;                  ///< before there is a strategy
  std::unique_ptr<Strategy, void (*)(Strategy*)> strategy_;
  std::vector<float> own_gradients_;  ///< of a compared step while it runs, all parameters end to end; else empty
  std::uint64_t shown_hash_ = 0;
  at::Tensor timed_rows_, timed_targets_;
  TimedSteps timed_;
  bool auditing_ = false;
};

}  // namespace

std::unique_ptr<RankProgram> make_training(const ProgramInput& in) { return std::make_unique<Training>(in); }

}  // namespace shardbench
