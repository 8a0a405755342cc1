#include "plugins/comm/group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "plugins/comm/checks.hpp"
#include "shardbench/error.hpp"

namespace shardbench::test {
namespace {

GroupInput two_ranks() {
  GroupInput in;
  in.plugin = SHARDBENCH_PLUGIN_UNDER_TEST;
  in.world = 2;
  return in;
}

TEST(Group, ReportsWhatARankThrew) {
  const auto body = [](Comm& comm) {
    if (comm.rank() == 1) throw Error("no");
  };
  EXPECT_EQ(run_group(two_ranks(), body), "rank 1: no\n");
}

TEST(Group, ReportsAndEndsARankThatHangs) {
  auto in = two_ranks();
  in.deadline = std::chrono::milliseconds(500);
  const auto body = [](Comm& comm) {
    if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::hours(1));
  };
  // Rank 1 may not have come to its end by then, on a busy machine.
  EXPECT_THAT(run_group(in, body), ::testing::StartsWith("rank 0: still running after 500 ms\n"));
}

TEST(Group, ReportsARankThatIsKilledOrExits) {
  const auto body = [](Comm& comm) {
    if (comm.rank() == 0) std::raise(SIGKILL);
    std::_Exit(7);
  };
  EXPECT_EQ(run_group(two_ranks(), body), "rank 0: killed by signal 9\nrank 1: ended with exit code 7\n");
}

/// A backend that is wrong in one way each, to see every check fail.
class Wrong final : public Comm {
 public:
  enum class Way { result, bytes, overrun, unfinished };
  explicit Wrong(Way way) : Comm(0, 1), way_(way) {}
  CommDescription describe() const override { return {}; }
  std::optional<std::uint64_t> bytes_on_wire() const override { return sent_; }
  std::string algorithm(Operation, std::size_t) const override { return {}; }

 protected:
  struct Outcome final : Work {
    explicit Outcome(bool done) : done_(done) {}
    bool wait(Deadline) override { return done_; }
    bool done_;
  };
  std::unique_ptr<Work> damage(void* data, std::size_t bytes) {
    auto* p = static_cast<unsigned char*>(data);
    if (way_ == Way::result && bytes > 0) p[0] ^= 1U;
    if (way_ == Way::bytes) ++sent_;
    if (way_ == Way::overrun) p[bytes] ^= 1U;
    return std::make_unique<Outcome>(way_ != Way::unfinished);
  }
  std::unique_ptr<Work> do_barrier() override { return damage(scratch_, 0); }
  std::unique_ptr<Work> do_broadcast(void* d, std::size_t n, DType t, int) override {
    return damage(d, n * size_of(t));
  }
  std::unique_ptr<Work> do_all_reduce(void* d, std::size_t n, DType t, ReduceOp) override {
    return damage(d, n * size_of(t));
  }
  std::unique_ptr<Work> do_reduce_scatter(void* in, void* out, std::span<const std::size_t> n, DType t,
                                          ReduceOp) override {
    if (in != out) std::memcpy(out, in, n[0] * size_of(t));
    return damage(out, n[0] * size_of(t));
  }
  std::unique_ptr<Work> do_all_gather(const void* in, void* out, std::span<const std::size_t> n, DType t) override {
    if (in != out) std::memcpy(out, in, n[0] * size_of(t));
    return damage(out, n[0] * size_of(t));
  }
  std::unique_ptr<Work> do_all_to_all(const void* in, void* out, std::size_t n, DType t) override {
    std::memcpy(out, in, n * size_of(t));
    return damage(out, n * size_of(t));
  }
  std::unique_ptr<Work> do_send(const void*, std::size_t, DType, int, std::uint32_t) override { return nullptr; }
  std::unique_ptr<Work> do_recv(void*, std::size_t, DType, int, std::uint32_t) override { return nullptr; }

 private:
  Way way_;
  std::uint64_t sent_ = 0;
  unsigned char scratch_[1] = {};
};

TEST(Checks, FailOnEveryFault) {
  for (const auto way : {Wrong::Way::result, Wrong::Way::bytes, Wrong::Way::overrun, Wrong::Way::unfinished}) {
    Wrong wrong(way);
    EXPECT_THROW(check_all_reduce(wrong, 5, DType::float32, ReduceOp::sum), Error);
    EXPECT_THROW(check_broadcast(wrong, 5, DType::float32, 0), Error);
    EXPECT_THROW(check_reduce_scatter(wrong, {5}, DType::float32, ReduceOp::sum, false), Error);
    EXPECT_THROW(check_reduce_scatter(wrong, {5}, DType::float32, ReduceOp::sum, true), Error);
    EXPECT_THROW(check_all_gather(wrong, {5}, DType::float32, false), Error);
    EXPECT_THROW(check_all_gather(wrong, {5}, DType::float32, true), Error);
    EXPECT_THROW(check_all_to_all(wrong, 5, DType::float32), Error);
  }
}

}  // namespace
}  // namespace shardbench::test
