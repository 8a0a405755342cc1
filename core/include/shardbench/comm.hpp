#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/dtype.hpp"

namespace shardbench {

enum class ReduceOp : std::uint8_t { sum, max, min };

constexpr std::string_view name_of(ReduceOp op) noexcept {
  return op == ReduceOp::sum ? "sum" : op == ReduceOp::max ? "max" : "min";
}

/// The operations of a communication backend; also the rows of the byte and call counters.
enum class Operation : std::uint8_t {
  barrier,
  broadcast,
  all_reduce,
  reduce_scatter,
  all_gather,
  all_to_all,
  send,
  recv
};
inline constexpr std::size_t operation_count = 8;

constexpr std::string_view name_of(Operation op) noexcept {
  constexpr std::string_view names[] = {"barrier",    "broadcast",  "all_reduce", "reduce_scatter",
                                        "all_gather", "all_to_all", "send",       "recv"};
  return names[static_cast<std::size_t>(op)];
}

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

/// A started operation. Its buffers must stay alive and untouched until `wait` returns true.
class Work {
 public:
  virtual ~Work() = default;
  /// Blocks until the operation is complete (true) or `deadline` passes (false; the backend may then be unusable).
  /// Throws `Error` when the peer is gone or the library reports a failure. Calling it again after true is true.
  virtual bool wait(Deadline deadline) = 0;
};

/// What was really in force, for the environment fingerprint and the columns of a row.
struct CommDescription {
  std::string library;                         ///< "gloo"
  std::string version;                         ///< "0.5.0"
  std::string transport;                       ///< "tcp on lo"
  std::string wait_mode;                       ///< "sync, block"
  std::map<std::string, std::string> details;  ///< further facts, e.g. "single_copy": "cma"
};

/// What a backend is made from.
struct CommInput {
  int rank = 0;
  int world = 1;
  std::map<std::string, std::string> options;  ///< from the suite, already checked against the descriptor's list
  Deadline deadline;                           ///< connecting must be done by then
  /// Gives every rank's blob, in rank order, once all ranks have called it the same number of times.
  /// It goes through the driver: for addresses at start-up, never for the data of a step.
  std::function<std::vector<std::string>(const std::string& mine)> exchange;
};

/// A communication backend over raw memory. One object is one rank's end of one group of ranks (a plugin of kind
/// `comm`).
///
/// Counts are in elements. Every rank must make the same calls in the same order with the same operation, dtype and
/// count (send and recv aside); the core checks that (`Communicator`) before a call reaches the backend.
/// Public calls check what can be checked locally and throw `Error`; the `do_` functions are the backend's.
/// Sums of floating-point values use one order of additions on all ranks, so every rank gets the same bits.
class Comm {
 public:
  Comm(int rank, int world) : rank_(rank), world_(world) {}
  virtual ~Comm() = default;
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;

  int rank() const noexcept { return rank_; }
  int world() const noexcept { return world_; }

  /// Returns when every rank has entered.
  std::unique_ptr<Work> barrier() { return do_barrier(); }
  /// `data` of rank `root` replaces that of all others.
  std::unique_ptr<Work> broadcast(void* data, std::size_t count, DType dtype, int root) {
    check_rank(root, "broadcast root");
    return do_broadcast(data, count, dtype, root);
  }
  /// `data` becomes, element by element, `op` over all ranks.
  std::unique_ptr<Work> all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) {
    return do_all_reduce(data, count, dtype, op);
  }
  /// Part r of `input` (counts[r] elements, parts back to back) is reduced over all ranks into `output` of rank r.
  /// `input` is used as scratch: its contents afterwards are unspecified. `output` may be the own part of `input`.
  std::unique_ptr<Work> reduce_scatter(void* input, void* output, std::span<const std::size_t> counts, DType dtype,
                                       ReduceOp op) {
    check_counts(counts, "reduce_scatter");
    return do_reduce_scatter(input, output, counts, dtype, op);
  }
  /// `output` becomes the `input`s of all ranks back to back (counts[r] elements from rank r).
  /// `input` may be the own part of `output`.
  std::unique_ptr<Work> all_gather(const void* input, void* output, std::span<const std::size_t> counts, DType dtype) {
    check_counts(counts, "all_gather");
    return do_all_gather(input, output, counts, dtype);
  }
  /// Block r of `input` (count elements) goes to block rank() of `output` on rank r. No overlap.
  std::unique_ptr<Work> all_to_all(const void* input, void* output, std::size_t count, DType dtype) {
    return do_all_to_all(input, output, count, dtype);
  }
  /// Sends to rank `peer`; matched with a recv of the same tag and size. Sends and receives may be started in any order
  /// on the two sides, and several may be outstanding: no order of them deadlocks as long as each is matched.
  std::unique_ptr<Work> send(const void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
    check_peer(peer, "send");
    return do_send(data, count, dtype, peer, tag);
  }
  std::unique_ptr<Work> recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
    check_peer(peer, "recv");
    return do_recv(data, count, dtype, peer, tag);
  }

  virtual CommDescription describe() const = 0;
  /// Payload bytes that this rank has really handed to the transport so far, all operations together (headers of the
  /// transport aside), where the backend knows them; nothing where the library hides it.
  virtual std::optional<std::uint64_t> bytes_on_wire() const { return std::nullopt; }
  /// The algorithm this backend uses for that operation and payload (bytes of the whole array): a name, after a comma
  /// whatever else is to be said, e.g. "ring, sync". `wire::algorithms` are the names that `bytes_on_wire` is held to.
  virtual std::string algorithm(Operation op, std::size_t bytes) const = 0;

 protected:
  virtual std::unique_ptr<Work> do_barrier() = 0;
  virtual std::unique_ptr<Work> do_broadcast(void* data, std::size_t count, DType dtype, int root) = 0;
  virtual std::unique_ptr<Work> do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) = 0;
  virtual std::unique_ptr<Work> do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts,
                                                  DType dtype, ReduceOp op) = 0;
  virtual std::unique_ptr<Work> do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                              DType dtype) = 0;
  virtual std::unique_ptr<Work> do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) = 0;
  virtual std::unique_ptr<Work> do_send(const void* data, std::size_t count, DType dtype, int peer,
                                        std::uint32_t tag) = 0;
  virtual std::unique_ptr<Work> do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) = 0;

 private:
  void check_rank(int rank, const char* what) const;
  void check_peer(int rank, const char* what) const;
  void check_counts(std::span<const std::size_t> counts, const char* what) const;

  int rank_;
  int world_;
};

}  // namespace shardbench

#include "shardbench/detail/comm_checks.hpp"  // IWYU pragma: export
