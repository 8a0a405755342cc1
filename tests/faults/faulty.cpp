#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "host/fixtures/misbehave.hpp"
#include "shardbench/flat_unit.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

#ifdef TEST_INITIALIZER
[[maybe_unused]] const bool initialized = (testing::misbehave(TEST_INITIALIZER), true);
#endif

/// Distributed data parallel, whose step takes FAULTY_STEP_MS longer than it has to, until in its second step one rank
/// does what the option `fault` says; some faults are of all ranks, in the constructor or in what it hands over.
class Faulty final : public Strategy {
 public:
  explicit Faulty(const StrategyInput& in)
      : units_(in.units),
        comm_(in.comm),
        fault_(in.option("fault", "none")),
        flat_(parameters_of(in.units), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        optimizer_(in.optimizer, flat_.parameter_values()) {
    if (fault_ == "constructor") throw testing::OwnException{};
  }

  void begin_step() override {
    ++steps_;
    std::this_thread::sleep_for(std::chrono::milliseconds(FAULTY_STEP_MS));
  }

  void after_backward(Unit& unit) override {
    if (unit.index() > 0) return;
    if (steps_ == 2) fail();
    comm_.all_reduce(bucket_);
    bucket_.div_(comm_.world());
  }

  void update() override { optimizer_.step(flat_.parameter_gradients()); }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    if (fault_ == "holdings") all.push_back({Role::gradients, "shard", {}});
    return all;
  }

  std::vector<GradientPiece> gradients() const override {
    auto pieces = whole_gradients(units_);
    if (fault_ == "pieces") pieces.back().unit = 99;
    return pieces;
  }

 private:
  void fail() {
    if (fault_ == "quit" && comm_.rank() == 0) testing::misbehave("exit");
    if (fault_ == "exit" && comm_.rank() == 0) ::_exit(7);
    if (fault_ == "exit_once" && comm_.rank() == 0 && ::mkdir("exited", 0700) == 0) ::_exit(7);
    if (comm_.rank() != 1) return;
    if (fault_ == "hang")
      for (;;) ::pause();
    if (fault_ == "crash") std::raise(SIGSEGV);
    if (fault_ == "int" || fault_ == "own") testing::misbehave(fault_);
    if (fault_ == "throw") throw std::runtime_error("the strategy gives up");
    if (fault_ == "disagree") comm_.all_reduce(bucket_.narrow(0, 0, 3));
    if (fault_ == "unequal") bucket_.mul_(2);
  }

  std::span<Unit> units_;
  Communicator& comm_;
  std::string fault_;
  FlatParameters flat_;
  at::Tensor bucket_;
  Optimizer optimizer_;
  int steps_ = 0;
};

Law faulty_law(const LawInput& in) {
  const auto option = in.option("fault", "none");
  if (option == "law_throws") throw testing::OwnException{};
  if (option == "law_crashes") testing::misbehave("segv");
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, in.tensors(), in.element_bytes());
  add_call(law.traffic, Operation::all_reduce, in.elements(), wire::all_reduce(in.elements(), in.world, in.rank),
           in.element_bytes());
  const std::size_t units = option == "law_without_units" ? 0 : in.units.size();
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(units),
                           optimizer_temporary_bytes(in.optimizer, in.tensors(), in.element_bytes())});
  if (option == "law_negative") law.weights -= law.weights + 1;
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(
    Faulty, faulty_law, "faulty", "1.0.0", "Goes wrong in its second step, for tests",
    "fault=none|hang|crash|exit|exit_once|quit|throw|int|own|disagree|unequal|constructor|holdings|pieces|"
    "law_throws|law_crashes|law_without_units|law_negative")
