#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "shardbench/comm.hpp"
#include "shardbench/wire.hpp"

namespace shardbench {

class Board;
struct BoardEntry;

/// A started send or receive and the tensor that it needs.
class Pending {
 public:
  Pending(std::unique_ptr<Work> work, at::Tensor tensor, Deadline deadline, double* seconds, std::function<void()> done)
      : work_(std::move(work)),
        tensor_(std::move(tensor)),
        deadline_(deadline),
        seconds_(seconds),
        done_(std::move(done)) {}
  /// Blocks until it is complete; releases and returns the tensor. Throws `Error` when the deadline passes.
  at::Tensor wait();

 private:
  std::unique_ptr<Work> work_;
  at::Tensor tensor_;
  Deadline deadline_;
  double* seconds_;
  std::function<void()> done_;
};

/// A comm backend as strategies use it: contiguous CPU tensors, counters of calls and bytes per operation, and on every
/// call a check that all ranks make the same one. Collectives return when they are done.
///
/// All sizes must be equal on all ranks; `reduce_scatter` and `all_gather` cut the array in `world` equal parts unless
/// parts (in elements) are given. Throws `Error` where ranks disagree, sizes do not fit, or the backend fails.
class Communicator {
 public:
  struct Input {
    Comm* comm = nullptr;    ///< not owned
    Board* board = nullptr;  ///< shared with the driver and the other ranks; not owned
    Deadline deadline;       ///< of every wait
  };
  explicit Communicator(const Input& in);

  int rank() const noexcept { return comm_->rank(); }
  int world() const noexcept { return comm_->world(); }

  void barrier();
  void broadcast(const at::Tensor& data, int root);
  void all_reduce(const at::Tensor& data, ReduceOp op = ReduceOp::sum);
  /// `input` (all parts) is used as scratch; `output` gets part rank(). `output` may be that part of `input`.
  void reduce_scatter(const at::Tensor& input, const at::Tensor& output, ReduceOp op = ReduceOp::sum);
  void reduce_scatter(const at::Tensor& input, const at::Tensor& output, std::span<const std::size_t> parts,
                      ReduceOp op = ReduceOp::sum);
  /// `input` may be part rank() of `output`.
  void all_gather(const at::Tensor& input, const at::Tensor& output);
  void all_gather(const at::Tensor& input, const at::Tensor& output, std::span<const std::size_t> parts);
  void all_to_all(const at::Tensor& input, const at::Tensor& output);

  Pending send(const at::Tensor& data, int peer, std::uint32_t tag);
  Pending recv(const at::Tensor& data, int peer, std::uint32_t tag);

  const Traffic& traffic() const noexcept { return traffic_; }
  std::optional<std::uint64_t> bytes_on_wire() const { return comm_->bytes_on_wire(); }
  /// Seconds spent inside calls and waits since the last reset.
  double seconds() const noexcept { return seconds_; }
  void reset_counters();

  /// From here to `stop_wire_claim` each call also counts what the algorithm that the backend names for it sends.
  void start_wire_claim() { claim_.emplace(); }
  WireClaim stop_wire_claim();

 private:
  template <class Start>
  void run(const BoardEntry& entry, wire::Moved moved, Start start, std::span<const std::size_t> parts = {});
  /// Adds a call over these parts (none: even ones) to the claim, where one is being counted.
  void claim(const BoardEntry& entry, std::span<const std::size_t> parts = {});

  Comm* comm_;
  Board* board_;
  Deadline deadline_;
  Traffic traffic_;
  double seconds_ = 0;
  std::optional<WireClaim> claim_;
};

}  // namespace shardbench
