#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "law/collective.hpp"
#include "rank/guarded_array.hpp"
#include "rank/observe.hpp"
#include "rank/pattern.hpp"
#include "rank/program.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// How late one rank comes to a checked barrier.
constexpr std::chrono::milliseconds lateness{2};

/// A part of the result and what it has to be: `count` elements from `begin` on are those from `phase` on of the array
/// that repeats `one_period`.
struct Slice {
  std::int64_t begin, count;
  at::Tensor one_period;
  std::int64_t phase;
};

/// One operation of the backend on arrays of its own, through the Communicator: two calls on known values whose results
/// are checked (in `train` and in `audit`), then timed calls on zeros, which a sum leaves as they are. All-reduce,
/// broadcast and the composite work in place.
class CollectiveProgram final : public RankProgram {
 public:
  explicit CollectiveProgram(const ProgramInput& in)
      : spec_(in.spec),
        comm_(in.comm),
        backend_(*in.backend),
        operation_(*spec_.operation),
        elements_(array_elements(spec_)),
        parts_(even_parts(elements_, spec_.world)),
        block_(static_cast<std::int64_t>(elements_ / static_cast<std::uint64_t>(spec_.world))),
        timed_(comm_) {
    const std::uint64_t mine = parts_[static_cast<std::size_t>(comm_.rank())];
    const auto add = [&](std::optional<GuardedArray>& array, const char* name, std::uint64_t n) {
      array.emplace(name, n, spec_.dtype);
    };
    switch (operation_) {
      case Collective::barrier: break;
      case Collective::broadcast:
      case Collective::all_reduce:
      case Collective::reduce_scatter_all_gather:
        add(output_, "array", elements_);
        own_ = output_->data().narrow(0, offset(comm_.rank()), static_cast<std::int64_t>(mine));
        break;
      case Collective::reduce_scatter:
        add(input_, "input", elements_);
        add(output_, "output", mine);
        break;
      case Collective::all_gather:
        add(input_, "input", mine);
        add(output_, "output", elements_);
        break;
      case Collective::all_to_all:
      case Collective::send:
        add(input_, "input", elements_);
        add(output_, "output", elements_);
        break;
    }
  }

  void train(RankReport& report) override {
    if (operation_ == Collective::barrier) return check_barrier(report.buffers);
    const int root = spec_.world - 1;
    prepare(1, root);
    run(root);
    check(1, root, report.buffers);
  }

  void audit(RankReport& report) override {
    prepare(2, timed_root);
    audit_step(comm_, report, [&] { run(timed_root); });
    check(2, timed_root, report.buffers);
    report.law.traffic = collective_traffic(spec_, comm_.rank());
    report.algorithm = algorithm();
  }

  /// A hop of `send`: the time of the whole round over the world.
  StepTime time_step() override {
    if (!zeroed_) {
      for (auto* array : {&input_, &output_})
        if (*array) (*array)->zero();
      zeroed_ = true;
    }
    timed_.before_step();
    const auto start = Clock::now();
    run(timed_root);
    StepTime time;
    time.step = seconds_since(start);
    time.communication = comm_.seconds();
    timed_.after_step();
    if (operation_ == Collective::send) {
      time.step /= spec_.world;
      time.communication /= spec_.world;
    }
    return time;
  }

  void conclude(const Reference*, RankReport& report) override { timed_.report(report); }

 private:
  /// Where part `rank` of the array begins.
  std::int64_t offset(int rank) const {
    return static_cast<std::int64_t>(std::accumulate(parts_.begin(), parts_.begin() + rank, std::uint64_t{0}));
  }
  int left() const { return (comm_.rank() + spec_.world - 1) % spec_.world; }
  int right() const { return (comm_.rank() + 1) % spec_.world; }
  Pattern pattern(int call) const { return {spec_.dtype, spec_.world, spec_.seed, call}; }
  /// Of the whole array, the element with which this rank's input begins.
  std::int64_t input_phase() const { return operation_ == Collective::all_gather ? offset(comm_.rank()) : 0; }

  void run(int root) {
    switch (operation_) {
      case Collective::barrier: comm_.barrier(); return;
      case Collective::broadcast: comm_.broadcast(output_->data(), root); return;
      case Collective::all_reduce: comm_.all_reduce(output_->data(), spec_.reduction); return;
      case Collective::reduce_scatter:
        comm_.reduce_scatter(input_->data(), output_->data(), parts_, spec_.reduction);
        return;
      case Collective::all_gather: comm_.all_gather(input_->data(), output_->data(), parts_); return;
      case Collective::all_to_all: comm_.all_to_all(input_->data(), output_->data()); return;
      case Collective::send: pass_on(); return;
      case Collective::reduce_scatter_all_gather:
        comm_.reduce_scatter(output_->data(), own_, parts_, spec_.reduction);
        comm_.all_gather(own_, output_->data(), parts_);
        return;
    }
  }

  /// One message goes round: each rank sends to its right neighbour once it has received from its left one.
  void pass_on() {
    if (comm_.rank() != 0) comm_.recv(output_->data(), left(), 0).wait();
    comm_.send(input_->data(), right(), 0).wait();
    if (comm_.rank() == 0) comm_.recv(output_->data(), left(), 0).wait();
  }

  void prepare(int call, int root) {
    if (!output_) return;
    output_->poison();
    const Pattern values = pattern(call);
    if (input_) {
      input_->restore_bands();
      fill(input_->data(), values.of_rank(comm_.rank()), input_phase());
    } else if (operation_ != Collective::broadcast || comm_.rank() == root) {
      fill(output_->data(), values.of_rank(comm_.rank()), 0);
    }
  }

  std::vector<Slice> expected(const Pattern& values, int root) const {
    const auto all = static_cast<std::int64_t>(elements_);
    const int rank = comm_.rank();
    std::vector<Slice> slices;
    switch (operation_) {
      case Collective::barrier: break;
      case Collective::broadcast: slices.push_back({0, all, values.of_rank(root), 0}); break;
      case Collective::all_reduce:
      case Collective::reduce_scatter_all_gather: slices.push_back({0, all, values.reduced(spec_.reduction), 0}); break;
      case Collective::reduce_scatter:
        slices.push_back({0, output_->data().numel(), values.reduced(spec_.reduction), offset(rank)});
        break;
      case Collective::all_gather:
        for (int from = 0; from < spec_.world; ++from)
          slices.push_back({offset(from), offset(from + 1) - offset(from), values.of_rank(from), offset(from)});
        break;
      case Collective::all_to_all:
        for (int from = 0; from < spec_.world; ++from)
          slices.push_back({from * block_, block_, values.of_rank(from), rank * block_});
        break;
      case Collective::send: slices.push_back({0, all, values.of_rank(left()), 0}); break;
    }
    return slices;
  }

  void check(int call, int root, BufferCheck& found) const {
    if (!output_) return;
    const Pattern values = pattern(call);
    for (const Slice& slice : expected(values, root)) {
      const auto wrong = compare(output_->data().narrow(0, slice.begin, slice.count), slice.one_period, slice.phase);
      found.checked_elements += static_cast<std::uint64_t>(slice.count);
      found.wrong_elements += wrong.elements;
      if (wrong.elements > 0 && found.first_wrong.empty())
        found.first_wrong = text(output_->name(), slice.begin + wrong.first, call, wrong);
    }
    output_->check_bands(call, found);
    if (!input_) return;
    input_->check_bands(call, found);
    if (operation_ == Collective::reduce_scatter) return;  // its input is scratch
    const auto changed = compare(input_->data(), values.of_rank(comm_.rank()), input_phase());
    found.input_elements += static_cast<std::uint64_t>(input_->data().numel());
    found.changed_elements += changed.elements;
    if (changed.elements > 0 && found.first_changed.empty())
      found.first_changed = text(input_->name(), changed.first, call, changed);
  }

  static std::string text(const std::string& array, std::int64_t index, int call, const Mismatch& mismatch) {
    return array + "[" + std::to_string(index) + "] of call " + std::to_string(call) + ": got " + mismatch.got +
           ", wanted " + mismatch.wanted;
  }

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
      case Collective::send: return of(Operation::send);
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
  std::uint64_t elements_;  ///< of the whole array
  std::vector<std::size_t> parts_;
  std::int64_t block_;  ///< all_to_all: elements for each rank
  std::optional<GuardedArray> input_, output_;
  at::Tensor own_;  ///< in place: this rank's part of the array
  TimedSteps timed_;
  bool zeroed_ = false;
};

}  // namespace

std::unique_ptr<RankProgram> make_collective(const ProgramInput& in) {
  if (!in.spec.operation || in.backend == nullptr) throw Error("the case has no operation or no backend", in.spec.id);
  return std::make_unique<CollectiveProgram>(in);
}

}  // namespace shardbench
