#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>

#include <ATen/core/TensorBody.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <unistd.h>

#include "control/board.hpp"
#include "law/plan_text.hpp"
#include "law/plans.hpp"
#include "measure/allocator.hpp"
#include "rank/layer_graph.hpp"
#include "rank/pipeline_step.hpp"
#include "rank/stage.hpp"
#include "rank/still_comm.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

at::Tensor numbers(std::int64_t rows, std::int64_t columns, double phase) {
  at::Tensor t = at::empty({rows, columns});
  for (std::int64_t i = 0; i < t.numel(); ++i)
    t.data_ptr<float>()[i] = static_cast<float>(std::sin(phase + 0.7 * static_cast<double>(i)));
  return t;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.numel() == b.numel() && std::memcmp(a.contiguous().data_ptr(), b.contiguous().data_ptr(), a.nbytes()) == 0;
}

/// A layer of one or two square weights, by any formula.
class Formula final : public Layer {
 public:
  using Result = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& v, const at::Tensor& w)>;
  explicit Formula(Result result) : result_(std::move(result)) {
    for (const char* name : {"v", "w"}) parameters_.push_back({name, numbers(6, 6, *name).requires_grad_(true), {}});
  }
  at::Tensor forward(const at::Tensor& x) const override {
    return result_(x, parameters_[0].value, parameters_[1].value);
  }
  LayerShape shape(std::int64_t, bool) const override { return {}; }

 private:
  Result result_;
};

/// The two parts of a backward have the bits of the whole.
void expect_equal_parts(Layer& layer, const at::Tensor& input, bool input_needs_gradient) {
  at::Tensor output;
  LayerGraph whole = LayerGraph::forward(layer, input, input_needs_gradient, output);
  const at::Tensor gradient = numbers(output.size(0), output.size(1), 5);
  const auto wanted = std::move(whole).backward(gradient);
  LayerGraph parts = LayerGraph::forward(layer, input, input_needs_gradient, output);
  const at::Tensor input_gradient = parts.backward_input(gradient);
  EXPECT_EQ(input_gradient.defined(), input_needs_gradient);
  if (input_needs_gradient) {
    EXPECT_TRUE(same_bits(input_gradient, wanted.input));
  }
  const auto got = std::move(parts).backward_weight();
  ASSERT_EQ(got.size(), wanted.parameters.size());
  for (std::size_t p = 0; p < got.size(); ++p) EXPECT_TRUE(same_bits(got[p], wanted.parameters[p])) << p;
}

TEST(SplitBackward, HasTheBitsOfTheWhole) {
  for (const Activation activation : {Activation::none, Activation::relu})
    for (const bool bias : {true, false})
      for (const bool input_needs_gradient : {true, false}) {
        const ModelSpec model{.name = "m", .widths = {6, 9}, .bias = bias, .activation = activation};
        expect_equal_parts(*make_layers(model, 1, 0, 1).front(), numbers(4, 6, 0), input_needs_gradient);
      }
}

// Where parameters leave the way to the input at several places, each is a start of W.
TEST(SplitBackward, FollowsEveryBranch) {
  Formula chain(
      [](const auto& x, const auto& v, const auto& w) { return at::relu(at::mm(at::relu(at::mm(x, v)), w)); });
  expect_equal_parts(chain, numbers(6, 6, 1), true);
  Formula gate([](const auto& x, const auto& v, const auto& w) { return at::relu(at::mm(x, v)).mul(at::mm(x, w)); });
  expect_equal_parts(gate, numbers(6, 6, 2), true);
  Formula aside([](const auto& x, const auto& v, const auto& w) { return at::mm(x, v).add(at::relu(w)); });
  expect_equal_parts(aside, numbers(6, 6, 3), true);
}

TEST(SplitBackward, RefusesAParameterUsedAtTwoPlaces) {
  Formula twice([](const auto& x, const auto& v, const auto& w) { return at::mm(at::mm(at::mm(x, v), w), v); });
  at::Tensor output;
  LayerGraph graph = LayerGraph::forward(twice, numbers(6, 6, 1), true, output);
  try {
    graph.backward_input(at::ones({6, 6}));
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_THAT(e.problem(), ::testing::HasSubstr("parameter 0 of a layer is used at two places"));
  }
}

// 4 rows; relu's output (144 bytes) is all that I releases of this layer's own; input (96) and the gradient before relu
// (144) stay for W.
TEST(SplitBackward, KeepsOnlyWhatWNeeds) {
  const ModelSpec model{.name = "m", .widths = {6, 9}, .activation = Activation::relu};
  const auto layers = make_layers(model, 1, 0, 1);
  const auto live = [] { return total(measure::live_bytes()); };
  const std::uint64_t before = live();
  at::Tensor output;
  LayerGraph graph = LayerGraph::forward(*layers.front(), numbers(4, 6, 0), true, output);
  output.reset();
  EXPECT_EQ(live() - before, 96u + 144u);
  const at::Tensor input_gradient = graph.backward_input(at::ones({4, 9}));
  EXPECT_EQ(live() - before, 96u + 144u + 96u);  // and the input's gradient
  const auto gradients = std::move(graph).backward_weight();
  EXPECT_EQ(live() - before, 96u + (54u + 9u) * 4u);
}

class StageOrder : public ::testing::Test {
 protected:
  StageOrder() {
    spec_.program = Program::pipeline;
    spec_.horizon = 2;
    spec_.model.widths = {6, 6, 6, 6};
    stage_.emplace(Stage::Input{spec_, 1, 3});
  }
  static std::string problem(auto call) {
    try {
      call();
    } catch (const Error& e) {
      return e.problem();
    }
    return "nothing was thrown";
  }
  static at::Tensor rows() { return at::ones({1, 6}); }
  Case spec_;
  std::optional<Stage> stage_;
};

TEST_F(StageOrder, NeedsFBeforeEveryBackward) {
  EXPECT_EQ(problem([&] { stage_->backward(0, rows()); }), "1B0 cannot run: its F has not run, or its backward has");
  EXPECT_EQ(problem([&] { stage_->backward_input(0, rows()); }),
            "1I0 cannot run: its F has not run, or its backward has");
  stage_->forward(0, rows());
  EXPECT_EQ(problem([&] { stage_->forward(0, rows()); }), "1F0 cannot run: its F has run and its backward has not");
}

TEST_F(StageOrder, NeedsIBeforeWAndWOnce) {
  stage_->forward(1, rows());
  EXPECT_EQ(problem([&] { stage_->backward_weight(1); }), "1W1 cannot run: its I has not run, or its W has");
  stage_->backward_input(1, rows());
  EXPECT_EQ(problem([&] { stage_->backward_input(1, rows()); }),
            "1I1 cannot run: its F has not run, or its backward has");
  stage_->backward_weight(1);
  EXPECT_EQ(problem([&] { stage_->backward_weight(1); }), "1W1 cannot run: its I has not run, or its W has");
}

/// Its neighbours send nothing but zeros.
class Zeros final : public testing::StillComm {
  Result do_recv(void* data, std::size_t count, DType, int, std::uint32_t) override {
    std::memset(data, 0, count * sizeof(float));
    return work();
  }
};

/// Runs a lowered plan of the middle one of three ranks as it is, right or wrong.
class MiddleRank : public StageOrder {
 protected:
  std::string problem_of(const std::string& row) {
    const Plan plan = testing::plan_of({0, 1, 2}, {"0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1", row,
                                                   "2RECV_F0 2F0 2B0 2SEND_B0 2RECV_F1 2F1 2B1 2SEND_B1"});
    const auto file = std::filesystem::temp_directory_path() / ("shardbench-middle-" + std::to_string(::getpid()));
    Board board = Board::create(file, 3);
    std::filesystem::remove(file);
    Zeros zeros;
    Communicator comm({&zeros, &board, Clock::now() + std::chrono::seconds(60)});
    spec_.batch = 2;
    return problem([&] {
      PipelineStep step({spec_, plan, comm});
      step.run({}, {}, &record_);
    });
  }
  StepRecord record_;
};

TEST_F(MiddleRank, RecordsWhatItRan) {
  const std::string row =
      "1RECV_F0 1F0 1SEND_F0 1RECV_F1 1F1 1SEND_F1 1RECV_B0 1I0 1SEND_B0 1RECV_B1 1I1 1SEND_B1 1W0 1W1";
  EXPECT_EQ(problem_of(row), "nothing was thrown");
  std::string ran;
  for (const Action& a : record_.executed) ran += (ran.empty() ? "" : " ") + text(a);
  EXPECT_EQ(ran, row);
  EXPECT_EQ(record_.in_flight_until_input, 2);
  EXPECT_EQ(record_.in_flight_until_weight, 2);
}

TEST_F(MiddleRank, RefusesToComputeWithWhatIsNotThere) {
  EXPECT_EQ(problem_of("1F0"), "there is no input of stage 1, microbatch 0 yet");
  EXPECT_EQ(problem_of("1RECV_F0 1SEND_F0"), "there is no output of stage 1, microbatch 0 yet");
  EXPECT_EQ(problem_of("1RECV_F0 1F0 1SEND_F0 1I0"), "there is no output gradient of stage 1, microbatch 0 yet");
  EXPECT_EQ(problem_of("1RECV_F0 1F0 1SEND_F0 1RECV_B0 1SEND_B0"),
            "there is no input gradient of stage 1, microbatch 0 yet");
}

TEST_F(MiddleRank, RefusesWWithoutIAndTwice) {
  EXPECT_EQ(problem_of("1RECV_F0 1F0 1W0"), "1W0 cannot run: its I has not run, or its W has");
  EXPECT_EQ(problem_of("1RECV_F0 1F0 1RECV_B0 1I0 1W0 1W0"), "1W0 cannot run: its I has not run, or its W has");
}

}  // namespace
}  // namespace shardbench
