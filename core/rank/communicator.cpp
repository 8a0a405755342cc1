#include "shardbench/communicator.hpp"

#include <ATen/core/TensorBody.h>

#include "control/board.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

DType dtype_of(const at::Tensor& t) {
  switch (t.scalar_type()) {
    case at::kFloat: return DType::float32;
    case at::kDouble: return DType::float64;
    case at::kBFloat16: return DType::bfloat16;
    case at::kHalf: return DType::float16;
    case at::kInt: return DType::int32;
    case at::kLong: return DType::int64;
    case at::kByte: return DType::uint8;
    default:
      throw Error(std::string("tensors of type ") + at::toString(t.scalar_type()) + " do not travel between ranks");
  }
}

std::size_t elements(const at::Tensor& t, const char* what) {
  if (!t.is_contiguous() || !t.device().is_cpu())
    throw Error(std::string(what) + " needs a contiguous CPU tensor", {}, "call contiguous() first");
  return static_cast<std::size_t>(t.numel());
}

void require(bool good, const char* what, std::size_t got, std::size_t wanted) {
  if (!good)
    throw Error(std::string(what) + " was given " + std::to_string(got) + " elements, but " + std::to_string(wanted) +
                " are needed");
}

/// Adds the time from its construction to its end to a counter of seconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace

at::Tensor Pending::wait() {
  if (work_) {
    const Stopwatch watch(*seconds_);
    if (!work_->wait(deadline_)) throw Error("a send or receive was not complete by the case's deadline");
    work_.reset();
    if (done_) done_();
  }
  return std::move(tensor_);
}

Communicator::Communicator(const Input& in) : comm_(in.comm), board_(in.board), deadline_(in.deadline) {}

template <class Start>
void Communicator::run(const BoardEntry& entry, wire::Moved moved, Start start, std::span<const std::size_t> parts) {
  const Stopwatch watch(seconds_);
  board_->begin(rank(), entry);
  if (!start()->wait(deadline_)) throw Error(text(entry) + " was not complete by the case's deadline");
  board_->end(rank());
  add_call(traffic_, entry.op, entry.count, moved, size_of(entry.dtype));
  claim(entry, parts);
}

void Communicator::claim(const BoardEntry& entry, std::span<const std::size_t> parts) {
  if (!claim_) return;
  const std::string algorithm = comm_->algorithm(entry.op, entry.count * size_of(entry.dtype));
  const auto even = even_parts(entry.count, world());
  const int root = entry.op == Operation::broadcast ? entry.peer : 0;
  const auto moved = wire::of_algorithm(algorithm, {entry.op, parts.empty() ? even : parts, rank(), root});
  if (moved)
    claim_->sent_bytes += moved->sent * size_of(entry.dtype);
  else if (claim_->without_law.empty())
    claim_->without_law = text(entry) + " by '" + algorithm + "'";
}

WireClaim Communicator::stop_wire_claim() {
  WireClaim claimed = claim_.value_or(WireClaim{});
  claim_.reset();
  return claimed;
}

void Communicator::barrier() {
  run({Operation::barrier}, {}, [&] { return comm_->barrier(); });
}

void Communicator::broadcast(const at::Tensor& data, int root) {
  const auto n = elements(data, "broadcast");
  const BoardEntry entry{Operation::broadcast, dtype_of(data), ReduceOp::sum, root, 0, n};
  run(entry, wire::broadcast(n, world(), rank(), root),
      [&] { return comm_->broadcast(data.data_ptr(), n, entry.dtype, root); });
}

void Communicator::all_reduce(const at::Tensor& data, ReduceOp op) {
  const auto n = elements(data, "all_reduce");
  const BoardEntry entry{Operation::all_reduce, dtype_of(data), op, -1, 0, n};
  run(entry, wire::all_reduce(n, world(), rank()),
      [&] { return comm_->all_reduce(data.data_ptr(), n, entry.dtype, op); });
}

void Communicator::reduce_scatter(const at::Tensor& input, const at::Tensor& output, ReduceOp op) {
  const std::vector<std::size_t> parts(static_cast<std::size_t>(world()), elements(output, "reduce_scatter"));
  reduce_scatter(input, output, parts, op);
}

void Communicator::reduce_scatter(const at::Tensor& input, const at::Tensor& output, std::span<const std::size_t> parts,
                                  ReduceOp op) {
  const auto n = wire::sum(parts);
  const auto mine = parts[static_cast<std::size_t>(rank())];
  require(elements(input, "reduce_scatter") == n, "reduce_scatter's input", elements(input, "reduce_scatter"), n);
  require(elements(output, "reduce_scatter") == mine, "reduce_scatter's output", elements(output, "reduce_scatter"),
          mine);
  const BoardEntry entry{Operation::reduce_scatter, dtype_of(input), op, -1, 0, n};
  run(
      entry, wire::reduce_scatter(parts, rank()),
      [&] { return comm_->reduce_scatter(input.data_ptr(), output.data_ptr(), parts, entry.dtype, op); }, parts);
}

void Communicator::all_gather(const at::Tensor& input, const at::Tensor& output) {
  const std::vector<std::size_t> parts(static_cast<std::size_t>(world()), elements(input, "all_gather"));
  all_gather(input, output, parts);
}

void Communicator::all_gather(const at::Tensor& input, const at::Tensor& output, std::span<const std::size_t> parts) {
  const auto n = wire::sum(parts);
  const auto mine = parts[static_cast<std::size_t>(rank())];
  require(elements(output, "all_gather") == n, "all_gather's output", elements(output, "all_gather"), n);
  require(elements(input, "all_gather") == mine, "all_gather's input", elements(input, "all_gather"), mine);
  const BoardEntry entry{Operation::all_gather, dtype_of(input), ReduceOp::sum, -1, 0, n};
  run(
      entry, wire::all_gather(parts, rank()),
      [&] { return comm_->all_gather(input.data_ptr(), output.data_ptr(), parts, entry.dtype); }, parts);
}

void Communicator::all_to_all(const at::Tensor& input, const at::Tensor& output) {
  const auto n = elements(input, "all_to_all");
  const auto w = static_cast<std::size_t>(world());
  require(n % w == 0, "all_to_all", n, (n / w + 1) * w);
  require(elements(output, "all_to_all") == n, "all_to_all's output", elements(output, "all_to_all"), n);
  const BoardEntry entry{Operation::all_to_all, dtype_of(input), ReduceOp::sum, -1, 0, n};
  run(entry, wire::all_to_all(n / w, world()),
      [&] { return comm_->all_to_all(input.data_ptr(), output.data_ptr(), n / w, entry.dtype); });
}

Pending Communicator::send(const at::Tensor& data, int peer, std::uint32_t tag) {
  const Stopwatch watch(seconds_);
  const auto n = elements(data, "send");
  const BoardEntry entry{Operation::send, dtype_of(data), ReduceOp::sum, peer, tag, n};
  board_->begin(rank(), entry);
  auto work = comm_->send(data.data_ptr(), n, entry.dtype, peer, tag);
  board_->end(rank());
  add_call(traffic_, Operation::send, n, {n, 0}, size_of(entry.dtype));
  claim(entry);
  return Pending(std::move(work), data, deadline_, &seconds_, nullptr);
}

Pending Communicator::recv(const at::Tensor& data, int peer, std::uint32_t tag) {
  const Stopwatch watch(seconds_);
  const auto n = elements(data, "recv");
  const BoardEntry entry{Operation::recv, dtype_of(data), ReduceOp::sum, peer, tag, n};
  board_->begin(rank(), entry);
  auto work = comm_->recv(data.data_ptr(), n, entry.dtype, peer, tag);
  add_call(traffic_, Operation::recv, n, {0, n}, size_of(entry.dtype));
  claim(entry);
  return Pending(std::move(work), data, deadline_, &seconds_, [board = board_, r = rank()] { board->end(r); });
}

void Communicator::reset_counters() {
  traffic_ = {};
  seconds_ = 0;
}

}  // namespace shardbench
