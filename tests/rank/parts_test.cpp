#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <unistd.h>

#include "control/board.hpp"
#include "rank/observe.hpp"
#include "rank/still_comm.hpp"
#include "shardbench/communicator.hpp"
#include "shardbench/error.hpp"
#include "shardbench/optimizer.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;

at::Tensor numbers(std::int64_t n, int seed) {
  at::Tensor t = at::empty({n}, at::kFloat);
  for (std::int64_t i = 0; i < n; ++i)
    t.data_ptr<float>()[i] = static_cast<float>(std::sin(1 + seed + 0.7 * static_cast<double>(i)));
  return t;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.numel() == b.numel() && std::memcmp(a.data_ptr(), b.data_ptr(), a.nbytes()) == 0;
}

/// The parameters after three updates, kept as tensors of these sizes.
at::Tensor updated(const OptimizerSpec& spec, const std::vector<std::int64_t>& cuts) {
  std::int64_t n = 0;
  for (const auto c : cuts) n += c;
  const at::Tensor all = numbers(n, 0);
  const auto cut = [&](const at::Tensor& whole) {
    std::vector<at::Tensor> parts;
    std::int64_t begin = 0;
    for (const auto c : cuts) {
      parts.push_back(whole.narrow(0, begin, c).clone());
      begin += c;
    }
    return parts;
  };
  const auto parameters = cut(all);
  Optimizer optimizer(spec, parameters);
  for (int step = 1; step <= 3; ++step) optimizer.step(cut(numbers(n, step)));
  std::int64_t begin = 0;
  for (const at::Tensor& p : parameters) {
    all.narrow(0, begin, p.numel()).copy_(p);
    begin += p.numel();
  }
  return all;
}

class EveryOptimizer : public ::testing::TestWithParam<OptimizerKind> {};

TEST_P(EveryOptimizer, HasTheSameBitsHoweverItsParametersAreCut) {
  OptimizerSpec spec;
  spec.kind = GetParam();
  const at::Tensor whole = updated(spec, {100});
  EXPECT_FALSE(same_bits(whole, numbers(100, 0)));
  for (const std::vector<std::int64_t>& cuts :
       {std::vector<std::int64_t>{1, 99}, {16, 84}, {15, 17, 68}, {33, 33, 34}, {0, 100}, {7, 0, 93}, {96, 4}})
    EXPECT_TRUE(same_bits(updated(spec, cuts), whole)) << ::testing::PrintToString(cuts);
}

TEST_P(EveryOptimizer, HoldsTheStateOfItsLaw) {
  OptimizerSpec spec;
  spec.kind = GetParam();
  const Optimizer optimizer(spec, {numbers(100, 0), numbers(7, 0)});
  std::uint64_t bytes = 0;
  for (const Holding& h : optimizer.state()) {
    EXPECT_EQ(h.role, Role::optimizer);
    bytes += h.tensor.nbytes();
  }
  EXPECT_EQ(bytes, optimizer_state_bytes(GetParam(), std::vector<std::uint64_t>{100, 7}, 4));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOptimizer,
                         ::testing::Values(OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum),
                         [](const auto& test) { return std::string(name_of(test.param)); });

// One step of torch.optim.SGD: p - lr g.
TEST(Sgd, ByHand) {
  OptimizerSpec spec;
  spec.kind = OptimizerKind::sgd;
  spec.learning_rate = 0.5;
  const at::Tensor p = at::zeros({20}).fill_(2);
  Optimizer(spec, {p}).step({at::zeros({20}).fill_(1)});
  EXPECT_EQ(p.data_ptr<float>()[0], 1.5f);
  EXPECT_EQ(p.data_ptr<float>()[19], 1.5f);
}

/// A work that is done, or that never is.
class FakeWork final : public Work {
 public:
  explicit FakeWork(bool done) : done_(done) {}
  bool wait(Deadline) override { return done_; }

 private:
  bool done_;
};

class FakeComm final : public testing::StillComm {
 public:
  bool done = true;
  int calls = 0;

 private:
  Result work() override {
    ++calls;
    return std::make_unique<FakeWork>(done);
  }
};

class CommunicatorTest : public ::testing::Test {
 protected:
  CommunicatorTest() : file_(make_file()), board_(Board::create(file_, 3)), comm_({&fake_, &board_, Clock::now()}) {}
  ~CommunicatorTest() override { std::filesystem::remove(file_); }

  static std::string problem(auto call) {
    try {
      call();
    } catch (const Error& e) {
      return e.problem();
    }
    return "nothing was thrown";
  }
  static std::filesystem::path make_file() {
    return std::filesystem::temp_directory_path() / ("shardbench-parts-" + std::to_string(::getpid()));
  }

  std::filesystem::path file_;
  FakeComm fake_;
  Board board_;
  Communicator comm_;
};

TEST_F(CommunicatorTest, RefusesSizesThatDoNotFitBeforeTheBackendIsCalled) {
  const at::Tensor six = at::zeros({6}), two = at::zeros({2}), three = at::zeros({3});
  const std::vector<std::size_t> parts = {1, 2, 3};
  EXPECT_EQ(problem([&] { comm_.reduce_scatter(six, three); }),
            "reduce_scatter's input was given 6 elements, but 9 are needed");
  EXPECT_EQ(problem([&] { comm_.reduce_scatter(six, three, parts); }),
            "reduce_scatter's output was given 3 elements, but 2 are needed");
  EXPECT_EQ(problem([&] { comm_.all_gather(three, six); }),
            "all_gather's output was given 6 elements, but 9 are needed");
  EXPECT_EQ(problem([&] { comm_.all_gather(three, six, parts); }),
            "all_gather's input was given 3 elements, but 2 are needed");
  EXPECT_EQ(problem([&] { comm_.all_to_all(two, two); }), "all_to_all was given 2 elements, but 3 are needed");
  EXPECT_EQ(problem([&] { comm_.all_to_all(six, three); }),
            "all_to_all's output was given 3 elements, but 6 are needed");
  EXPECT_EQ(fake_.calls, 0);
}

TEST_F(CommunicatorTest, RefusesTensorsThatCannotTravel) {
  EXPECT_EQ(problem([&] { comm_.all_reduce(at::zeros({2, 3}).t()); }), "all_reduce needs a contiguous CPU tensor");
  EXPECT_THAT(problem([&] { comm_.all_reduce(at::zeros({2}, at::kBool)); }), HasSubstr("of type Bool do not travel"));
  EXPECT_NE(problem([&] { comm_.broadcast(at::zeros({2}), 3); }), "nothing was thrown");
  EXPECT_NE(problem([&] { comm_.send(at::zeros({2}), 1, 0); }), "nothing was thrown");
}

TEST_F(CommunicatorTest, CountsCallsAndBytesByTheLawOfEachOperation) {
  const at::Tensor nine = at::zeros({9}), three = at::zeros({3});
  comm_.all_reduce(nine);
  comm_.reduce_scatter(nine, three);
  comm_.all_gather(three, nine);
  comm_.broadcast(nine, 1);
  comm_.all_to_all(nine, at::zeros({9}));
  comm_.send(three, 2, 7).wait();
  comm_.recv(three, 0, 7).wait();
  const Traffic& t = comm_.traffic();
  EXPECT_EQ(t[Operation::all_reduce], (OperationTraffic{1, 36, 48, 48}));
  EXPECT_EQ(t[Operation::reduce_scatter], (OperationTraffic{1, 36, 24, 24}));
  EXPECT_EQ(t[Operation::all_gather], (OperationTraffic{1, 36, 24, 24}));
  EXPECT_EQ(t[Operation::broadcast], (OperationTraffic{1, 36, 72, 0}));
  EXPECT_EQ(t[Operation::all_to_all], (OperationTraffic{1, 36, 24, 24}));
  EXPECT_EQ(t[Operation::send], (OperationTraffic{1, 12, 12, 0}));
  EXPECT_EQ(t[Operation::recv], (OperationTraffic{1, 12, 0, 12}));
  EXPECT_GE(comm_.seconds(), 0);
  comm_.reset_counters();
  EXPECT_EQ(comm_.traffic(), Traffic{});
  EXPECT_EQ(comm_.seconds(), 0);
}

TEST_F(CommunicatorTest, TimedStepsAddUpWhatTheStepsSentAndKept) {
  const at::Tensor data = at::zeros({6});
  std::vector<at::Tensor> kept;
  std::vector<std::vector<float>> kept_vectors;
  kept.reserve(4);
  kept_vectors.reserve(4);
  comm_.all_reduce(data);  // before the timed part
  TimedSteps timed(comm_);
  Traffic step;
  for (int i = 0; i < 3; ++i) {
    timed.before_step();
    comm_.all_reduce(data);
    kept.push_back(at::zeros({100'000}));
    kept_vectors.emplace_back(100'000, 1.0F);
    step = comm_.traffic();
    timed.after_step();
  }
  RankReport report;
  timed.report(report);
  EXPECT_EQ(report.timed.steps, 3u);
  EXPECT_EQ(report.timed.traffic[Operation::all_reduce].calls, 3u);
  EXPECT_EQ(report.timed.traffic[Operation::all_reduce].sent_bytes, 3 * step[Operation::all_reduce].sent_bytes);
  EXPECT_EQ(report.timed.traffic[Operation::all_reduce].payload_bytes, 3u * 24);
  EXPECT_EQ(report.timed.traffic[Operation::barrier].calls, 0u);
  EXPECT_EQ(report.timed.alive_after - report.timed.alive_before, 1'200'000u);
  EXPECT_NEAR(static_cast<double>(report.heap.timed_growth), 1'200'000, 32768);
  EXPECT_EQ(report.timed.bytes_on_wire, std::nullopt);
}

TEST_F(CommunicatorTest, SaysWhatWasNotCompleteByTheDeadline) {
  fake_.done = false;
  EXPECT_EQ(problem([&] { comm_.all_reduce(at::zeros({9})); }),
            "all_reduce of 9 float32 (sum) was not complete by the case's deadline");
  EXPECT_TRUE(board_.state(1).inside);
  EXPECT_EQ(problem([&] { comm_.recv(at::zeros({9}), 0, 7).wait(); }),
            "a send or receive was not complete by the case's deadline");
}

TEST_F(CommunicatorTest, ShowsTheOperationOnTheBoard) {
  comm_.broadcast(at::zeros({4}, at::kLong), 2);
  const RankState state = board_.state(1);
  EXPECT_EQ(state.collectives, 1u);
  EXPECT_FALSE(state.inside);
  EXPECT_EQ(text(state.last.value()), "broadcast of 4 int64 from rank 2");
}

}  // namespace
}  // namespace shardbench
