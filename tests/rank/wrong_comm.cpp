#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comm/reduce.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

class Done final : public Work {
 public:
  bool wait(Deadline /*deadline*/) override { return true; }
};

/// The descriptor of the plugin `gloo`, which is loaded once and stays.
const PluginDescriptor& gloo() {
  static void* const library = ::dlopen(GLOO_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  const void* symbol = library == nullptr ? nullptr : ::dlsym(library, "shardbench_plugin");
  if (symbol == nullptr) throw Error("gloo cannot be loaded: " + std::string(::dlerror()), GLOO_PLUGIN);
  return *static_cast<const PluginDescriptor*>(symbol);
}

/// Waits for two.
class Both final : public Work {
 public:
  Both(std::unique_ptr<Work> first, std::unique_ptr<Work> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  bool wait(Deadline deadline) override { return first_->wait(deadline) && second_->wait(deadline); }

 private:
  std::unique_ptr<Work> first_, second_;
};

/// Gloo with one fault, on the last rank or, from `barrier` on, on all of them, in every collective that can have it:
///
///     element   one bit of the last element of the result is wrong
///     tail      the last element of an array that is reduced in place stays as it was
///     outside   a byte after the result is written
///     before    a byte before the result is written
///     input     an element of an input that is only read is changed
///     barrier   no rank waits
///     order     all_reduce adds in an order of its own on each rank, beginning with its own values
///     drift     all_reduce adds in another order at each call, the same on all ranks
///     tags      messages of all tags are taken for one another
///     reorder   of two messages of one tag the second is sent first
///     idle      does nothing once timed calls begin: after the first barrier that follows a call with data, or after
///               the barriers that are checked themselves
///     claim     names an algorithm for all_reduce that it does not use
///     unnamed   names one that nobody knows
class WrongComm final : public Comm {
 public:
  explicit WrongComm(const CommInput& in)
      : Comm(in.rank, in.world),
        fault_(in.options.contains("fault") ? in.options.at("fault") : "none"),
        deadline_(in.deadline),
        right_(gloo().create_comm({in.rank, in.world, {}, in.deadline, in.exchange}), gloo().destroy_comm) {}

  CommDescription describe() const override { return right_->describe(); }
  std::string algorithm(Operation op, std::size_t bytes) const override {
    if (fault_ == "claim" && op == Operation::all_reduce) return "recursive doubling, sync";
    if (fault_ == "unnamed" && op == Operation::all_reduce) return "own, sync";
    return right_->algorithm(op, bytes);
  }
  std::optional<std::uint64_t> bytes_on_wire() const override {
    if (fault_ == "order" || fault_ == "drift") return std::nullopt;
    return right_->bytes_on_wire();
  }

 protected:
  std::unique_ptr<Work> do_barrier() override {
    if (fault_ == "barrier" || idle_) return std::make_unique<Done>();
    const int checked = used_ ? 0 : world() + 1;
    idle_ = fault_ == "idle" && ++barriers_ > checked;
    return right_->barrier();
  }
  std::unique_ptr<Work> do_broadcast(void* data, std::size_t count, DType dtype, int root) override {
    if (idle()) return std::make_unique<Done>();
    return spoil(right_->broadcast(data, count, dtype, root), nullptr, data, count, dtype);
  }
  std::unique_ptr<Work> do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) override {
    if (idle()) return std::make_unique<Done>();
    if (fault_ == "order") return add_from(rank(), data, count, dtype, op);
    if (fault_ == "drift") return add_from(calls_++ % world(), data, count, dtype, op);
    const std::size_t last = (count - 1) * size_of(dtype);
    const std::string tail(static_cast<const char*>(data) + last, size_of(dtype));
    auto work = spoil(right_->all_reduce(data, count, dtype, op), nullptr, data, count, dtype);
    if (has("tail")) std::memcpy(static_cast<char*>(data) + last, tail.data(), tail.size());
    return work;
  }
  std::unique_ptr<Work> do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                                          ReduceOp op) override {
    if (idle()) return std::make_unique<Done>();
    return spoil(right_->reduce_scatter(input, output, counts, dtype, op), nullptr, output, counts.back(), dtype);
  }
  std::unique_ptr<Work> do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                      DType dtype) override {
    if (idle()) return std::make_unique<Done>();
    std::size_t all = 0;
    for (const std::size_t count : counts) all += count;
    return spoil(right_->all_gather(input, output, counts, dtype), input, output, all, dtype);
  }
  std::unique_ptr<Work> do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) override {
    if (idle()) return std::make_unique<Done>();
    return spoil(right_->all_to_all(input, output, count, dtype), input, output,
                 count * static_cast<std::size_t>(world()), dtype);
  }
  std::unique_ptr<Work> do_send(const void* data, std::size_t count, DType dtype, int peer,
                                std::uint32_t tag) override {
    if (idle()) return std::make_unique<Done>();
    if (fault_ == "reorder" && !held_) {
      held_ = [=, this] { return right_->send(data, count, dtype, peer, tag); };
      return std::make_unique<Done>();
    }
    auto work = right_->send(data, count, dtype, peer, fault_ == "tags" ? 0 : tag);
    if (held_) return std::make_unique<Both>(std::move(work), std::exchange(held_, nullptr)());
    if (!has("input")) return work;
    work->wait(deadline_);
    flip(const_cast<void*>(data));
    return work;
  }
  std::unique_ptr<Work> do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override {
    if (idle()) return std::make_unique<Done>();
    auto work = right_->recv(data, count, dtype, peer, fault_ == "tags" ? 0 : tag);
    return has("element") || has("outside") || has("before") ? spoil(std::move(work), nullptr, data, count, dtype)
                                                             : std::move(work);
  }

 private:
  bool has(const char* fault) const { return fault_ == fault && rank() == world() - 1; }
  /// Whether a call with data does nothing.
  bool idle() {
    used_ = true;
    return idle_;
  }
  static void flip(void* byte) { *static_cast<unsigned char*>(byte) ^= 1U; }

  /// `data` becomes the reduction over all ranks, added from rank `first` on.
  std::unique_ptr<Work> add_from(int first, void* data, std::size_t count, DType dtype, ReduceOp op) {
    const std::size_t bytes = count * size_of(dtype);
    std::vector<char> all(bytes * static_cast<std::size_t>(world()));
    right_->all_gather(data, all.data(), std::vector(static_cast<std::size_t>(world()), count), dtype)->wait(deadline_);
    const auto of = [&](int rank) { return all.data() + static_cast<std::size_t>(rank % world()) * bytes; };
    std::memcpy(data, of(first), bytes);
    for (int next = first + 1; next < first + world(); ++next) reduce(data, data, of(next), count, dtype, op);
    return std::make_unique<Done>();
  }

  /// Not inlined, or GCC 12 sees `before` write before an array of add_from, should Gloo be this class itself.
  [[gnu::noinline]] std::unique_ptr<Work> spoil(std::unique_ptr<Work> work, const void* input, void* output,
                                                std::size_t count, DType dtype) {
    work->wait(deadline_);
    auto* const end = static_cast<char*>(output) + count * size_of(dtype);
    if (has("element") && count > 0) flip(end - size_of(dtype));
    if (has("outside")) flip(end);
    if (has("before")) flip(static_cast<char*>(output) - 1);
    if (has("input") && input != nullptr) flip(const_cast<void*>(input));
    return work;
  }

  std::string fault_;
  Deadline deadline_;
  bool idle_ = false, used_ = false;
  int barriers_ = 0;
  int calls_ = 0;                                ///< drift
  std::function<std::unique_ptr<Work>()> held_;  ///< reorder: the first of two messages
  std::unique_ptr<Comm, void (*)(Comm*)> right_;
};

}  // namespace

SHARDBENCH_COMM(WrongComm, "wrong", "1.0.0", "Gloo with a fault, for tests",
                "fault=none|element|tail|outside|before|input|barrier|order|drift|tags|reorder|idle|claim|unnamed")
