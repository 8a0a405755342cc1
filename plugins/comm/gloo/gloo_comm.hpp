#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "comm/gloo/connect.hpp"
#include "comm/gloo/link.hpp"
#include "comm/gloo/worker.hpp"
#include "shardbench/comm.hpp"

namespace shardbench::gloo_comm {

/// Gloo over TCP, on the connections that suit the operation:
/// - collectives on pairs in synchronous mode, in the calling thread (`mode=auto|sync`, complete when they return) or
/// in
///   a thread of their own (`mode=async`, so that they overlap with computation);
/// - send and recv on pairs in asynchronous mode, moved by Gloo's device thread in whatever order the two sides start
/// them.
///
/// Gloo's own collectives use asynchronous pairs throughout. Amid the computation of a training step, where each
/// message wakes a thread that sleeps, they take two to five times as long (bench/comm_overhead.cpp).
///
/// `algorithm` is that of all_reduce: `ring` (with two ranks: an exchange); `halving_doubling` where it can be
/// (`can_halve`); `auto`: the latter for more than two ranks, where it takes 0.5 to 0.9 of a ring's time (4 ranks on 2
/// cores, 64 B to 16 MiB).
class GlooComm final : public Comm {
 public:
  explicit GlooComm(const CommInput& in);
  ~GlooComm() override;

  CommDescription describe() const override;
  std::optional<std::uint64_t> bytes_on_wire() const override { return sent_.load(std::memory_order_relaxed); }
  std::string algorithm(Operation op, std::size_t bytes) const override;

 protected:
  std::unique_ptr<Work> do_barrier() override;
  std::unique_ptr<Work> do_broadcast(void* data, std::size_t count, DType dtype, int root) override;
  std::unique_ptr<Work> do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) override;
  std::unique_ptr<Work> do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                                          ReduceOp op) override;
  std::unique_ptr<Work> do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                      DType dtype) override;
  std::unique_ptr<Work> do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) override;
  std::unique_ptr<Work> do_send(const void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override;
  std::unique_ptr<Work> do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) override;

 private:
  /// Whether an all_reduce of that size is by halving and doubling.
  bool halves(std::size_t bytes) const;
  template <typename Collective>
  std::unique_ptr<Work> run(Operation op, Collective collective);

  std::string interface_;
  WaitMode wait_ = WaitMode::block;
  bool async_ = false;
  std::string algorithm_;
  std::atomic<std::uint64_t> sent_{0};
  std::shared_ptr<const Meshes> meshes_;  ///< none in a world of one
  std::optional<Link> link_;              ///< over the blocking mesh
  std::optional<Worker> worker_;          ///< mode=async
};

}  // namespace shardbench::gloo_comm
