#pragma once
#include <memory>
#include <span>
#include <string>

#include "shardbench/comm.hpp"

namespace shardbench::testing {

/// A rank (1 of 3, where nothing else is said) of a backend that moves nothing: every operation is `work()`, which is
/// done.
class StillComm : public Comm {
 public:
  explicit StillComm(int rank = 1, int world = 3) : Comm(rank, world) {}
  CommDescription describe() const override { return {}; }
  std::string algorithm(Operation, std::size_t) const override { return "none"; }

 protected:
  using Result = std::unique_ptr<Work>;
  using Parts = std::span<const std::size_t>;
  Result do_barrier() override { return work(); }
  Result do_broadcast(void*, std::size_t, DType, int) override { return work(); }
  Result do_all_reduce(void*, std::size_t, DType, ReduceOp) override { return work(); }
  Result do_reduce_scatter(void*, void*, Parts, DType, ReduceOp) override { return work(); }
  Result do_all_gather(const void*, void*, Parts, DType) override { return work(); }
  Result do_all_to_all(const void*, void*, std::size_t, DType) override { return work(); }
  Result do_send(const void*, std::size_t, DType, int, std::uint32_t) override { return work(); }
  Result do_recv(void*, std::size_t, DType, int, std::uint32_t) override { return work(); }

  virtual Result work() { return std::make_unique<Done>(); }

 private:
  struct Done final : Work {
    bool wait(Deadline) override { return true; }
  };
};

}  // namespace shardbench::testing
