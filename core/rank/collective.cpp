#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "law/collective.hpp"
#include "rank/collective_arrays.hpp"
#include "rank/observe.hpp"
#include "rank/program.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// How late one rank comes to a checked barrier.
constexpr std::chrono::milliseconds lateness{2};

/// One operation of the backend on arrays of its own, through the Communicator: two checked calls (in `train` and in
/// `audit`), then the timed ones. The result of every call is checked, that of a timed one outside of its time; the
/// values alternate between two sets, so a call that does nothing leaves a wrong result.
class CollectiveProgram final : public RankProgram {
 public:
  explicit CollectiveProgram(const ProgramInput& in)
      : spec_(in.spec), comm_(in.comm), backend_(*in.backend), operation_(*spec_.operation), steps_(comm_) {
    if (has_array(operation_)) arrays_.emplace(spec_, comm_.rank());
  }

  void train(RankReport& report) override {
    if (operation_ == Collective::barrier) return check_barrier(report.buffers);
    checked({1, 0, spec_.world - 1}, report.buffers, [&](int root) { run(root); });
  }

  void audit(RankReport& report) override {
    const auto call = [&](int root) { audit_step(comm_, report, [&] { run(root); }); };
    if (arrays_)
      checked({2, 1, timed_root}, report.buffers, call);
    else
      call(timed_root);
    report.law.traffic = collective_traffic(spec_, comm_.rank());
    report.algorithm = algorithm();
  }

  /// A hop of `send`: the time of the whole round over the world.
  StepTime time_step() override {
    last_ = {last_.number + 1, 1 - last_.set, timed_root};
    if (arrays_) arrays_->fill_input(last_);
    steps_.before_step();
    const auto start = Clock::now();
    run(timed_root);
    StepTime time;
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    steps_.after_step();
    if (operation_ == Collective::send) {
      time.step /= spec_.world;
      time.communication /= spec_.world;
    }
    if (arrays_) arrays_->check_result(last_, timed_);
    return time;
  }

  void conclude(const Reference*, RankReport& report) override {
    steps_.report(report);
    if (arrays_)
      arrays_->check_surroundings(last_, timed_);
    else
      check_barrier(timed_);
    report.timed_buffers = timed_;
  }

 private:
  int left() const { return (comm_.rank() + spec_.world - 1) % spec_.world; }
  int right() const { return (comm_.rank() + 1) % spec_.world; }

  template <class Run>
  void checked(const CollectiveArrays::Call& call, BufferCheck& found, Run run) {
    arrays_->poison();
    arrays_->fill_input(call);
    run(call.root);
    arrays_->check_result(call, found);
    arrays_->check_surroundings(call, found);
    last_ = call;
  }

  void run(int root) {
    if (operation_ == Collective::barrier) return comm_.barrier();
    const at::Tensor &input = arrays_->input(), &output = arrays_->output();
    const auto& parts = arrays_->parts();
    switch (operation_) {
      case Collective::barrier: return;
      case Collective::broadcast: return comm_.broadcast(output, root);
      case Collective::all_reduce: return comm_.all_reduce(output, spec_.reduction);
      case Collective::reduce_scatter: return comm_.reduce_scatter(input, output, parts, spec_.reduction);
      case Collective::all_gather: return comm_.all_gather(input, output, parts);
      case Collective::all_to_all: return comm_.all_to_all(input, output);
      case Collective::send: return pass_on(input, output);
      case Collective::send_tags:
      case Collective::send_order:
      case Collective::send_both_ways: return exchange(exchange_of(operation_));
      case Collective::reduce_scatter_all_gather:
        comm_.reduce_scatter(output, arrays_->own(), parts, spec_.reduction);
        return comm_.all_gather(arrays_->own(), output, parts);
    }
  }

  /// One message goes round: each rank sends to its right neighbour once it has received from its left one.
  void pass_on(const at::Tensor& input, const at::Tensor& output) {
    if (comm_.rank() != 0) comm_.recv(output, left(), 0).wait();
    comm_.send(input, right(), 0).wait();
    if (comm_.rank() == 0) comm_.recv(output, left(), 0).wait();
  }

  void exchange(const Exchange& plan) {
    std::vector<Pending> sends, receives;
    for (std::size_t i = 0; i < plan.messages.size(); ++i) {
      const auto& [to, tag] = plan.messages[i];
      sends.push_back(comm_.send(arrays_->message(arrays_->input(), i), neighbour(to), tag));
    }
    for (const std::size_t i : plan.received) {
      const auto& [to, tag] = plan.messages[i];
      receives.push_back(comm_.recv(arrays_->message(arrays_->output(), i), neighbour(-to), tag));
      if (plan.one_by_one) receives.back().wait();
    }
    for (auto& receive : receives) receive.wait();
    for (auto& send : sends) send.wait();
  }
  int neighbour(int direction) const { return direction > 0 ? right() : left(); }

  /// As many barriers as ranks, to each of which another rank comes late.
  void check_barrier(BufferCheck& found) {
    const auto now = [] {
      return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
    };
    for (int late = 0; late < spec_.world; ++late) {
      if (comm_.rank() == late) std::this_thread::sleep_for(lateness);
      const std::int64_t entered = now();
      comm_.barrier();
      found.barrier_ns.push_back({entered, now()});
    }
  }

  std::string algorithm() const {
    const auto of = [&](Operation op) { return backend_.algorithm(op, spec_.bytes); };
    switch (operation_) {
      case Collective::barrier: return of(Operation::barrier);
      case Collective::broadcast: return of(Operation::broadcast);
      case Collective::all_reduce: return of(Operation::all_reduce);
      case Collective::reduce_scatter: return of(Operation::reduce_scatter);
      case Collective::all_gather: return of(Operation::all_gather);
      case Collective::all_to_all: return of(Operation::all_to_all);
      case Collective::send:
      case Collective::send_tags:
      case Collective::send_order:
      case Collective::send_both_ways: return of(Operation::send);
      case Collective::reduce_scatter_all_gather: {
        const std::string scatter = of(Operation::reduce_scatter), gather = of(Operation::all_gather);
        return scatter == gather ? scatter : scatter + "; " + gather;
      }
    }
    return {};
  }

  const Case& spec_;
  Communicator& comm_;
  const Comm& backend_;
  Collective operation_;
  std::optional<CollectiveArrays> arrays_;  ///< none of a barrier
  CollectiveArrays::Call last_;
  BufferCheck timed_;
  TimedSteps steps_;
};

}  // namespace

std::unique_ptr<RankProgram> make_collective(const ProgramInput& in) {
  if (!in.spec.operation || in.backend == nullptr) throw Error("the case has no operation or no backend", in.spec.id);
  return std::make_unique<CollectiveProgram>(in);
}

}  // namespace shardbench
