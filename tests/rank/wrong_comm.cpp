#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <string>

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

/// Gloo with one fault, on the last rank (but for the barrier), in every collective that can have it:
///
///     element   one bit of the last element of the result is wrong
///     tail      the last element of an array that is reduced in place stays as it was
///     outside   a byte after the result is written
///     before    a byte before the result is written
///     input     an element of an input that is only read is changed
///     barrier   no rank waits
class WrongComm final : public Comm {
 public:
  explicit WrongComm(const CommInput& in)
      : Comm(in.rank, in.world),
        fault_(in.options.contains("fault") ? in.options.at("fault") : "none"),
        deadline_(in.deadline),
        right_(gloo().create_comm({in.rank, in.world, {}, in.deadline, in.exchange}), gloo().destroy_comm) {}

  CommDescription describe() const override { return right_->describe(); }
  std::string algorithm(Operation op, std::size_t bytes) const override { return right_->algorithm(op, bytes); }

 protected:
  std::unique_ptr<Work> do_barrier() override {
    if (fault_ == "barrier") return std::make_unique<Done>();
    return right_->barrier();
  }
  std::unique_ptr<Work> do_broadcast(void* data, std::size_t count, DType dtype, int root) override {
    return spoil(right_->broadcast(data, count, dtype, root), nullptr, data, count, dtype);
  }
  std::unique_ptr<Work> do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) override {
    const std::size_t last = (count - 1) * size_of(dtype);
    const std::string tail(static_cast<const char*>(data) + last, size_of(dtype));
    auto work = spoil(right_->all_reduce(data, count, dtype, op), nullptr, data, count, dtype);
    if (has("tail")) std::memcpy(static_cast<char*>(data) + last, tail.data(), tail.size());
    return work;
  }
  std::unique_ptr<Work> do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                                          ReduceOp op) override {
    return spoil(right_->reduce_scatter(input, output, counts, dtype, op), nullptr, output, counts.back(), dtype);
  }
  std::unique_ptr<Work> do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                      DType dtype) override {
    std::size_t all = 0;
    for (const std::size_t count : counts) all += count;
    return spoil(right_->all_gather(input, output, counts, dtype), input, output, all, dtype);
  }
  std::unique_ptr<Work> do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) override {
    return spoil(right_->all_to_all(input, output, count, dtype), input, output,
                 count * static_cast<std::size_t>(world()), dtype);
  }
  std::unique_ptr<Work> do_send(const void* data, std::size_t count, DType dtype, int peer,
                                std::uint32_t tag) override {
    auto work = right_->send(data, count, dtype, peer, tag);
    if (!has("input")) return work;
    work->wait(deadline_);
    flip(const_cast<void*>(data));
    return work;
  }
  std::unique_ptr<Work> do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override {
    auto work = right_->recv(data, count, dtype, peer, tag);
    return has("element") || has("outside") || has("before") ? spoil(std::move(work), nullptr, data, count, dtype)
                                                             : std::move(work);
  }

 private:
  bool has(const char* fault) const { return fault_ == fault && rank() == world() - 1; }
  static void flip(void* byte) { *static_cast<unsigned char*>(byte) ^= 1U; }

  std::unique_ptr<Work> spoil(std::unique_ptr<Work> work, const void* input, void* output, std::size_t count,
                              DType dtype) {
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
  std::unique_ptr<Comm, void (*)(Comm*)> right_;
};

}  // namespace

SHARDBENCH_COMM(WrongComm, "wrong", "1.0.0", "Gloo with a fault, for tests",
                "fault=none|element|tail|outside|before|input|barrier")
