#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <unistd.h>

#include "control/board.hpp"
#include "control/json.hpp"
#include "law/plans.hpp"
#include "rank/program.hpp"
#include "rank/still_comm.hpp"
#include "shardbench/communicator.hpp"

namespace shardbench {
namespace {

/// A pipeline of one rank and two layers: all of it in this process.
class OneRank : public ::testing::TestWithParam<Loss> {
 protected:
  OneRank() {
    spec_.program = Program::pipeline;
    spec_.model.widths = {5, 7, 3};
    spec_.model.loss = GetParam();
    spec_.optimizer.kind = OptimizerKind::sgd;
    spec_.optimizer.learning_rate = 0.01;
    spec_.batch = 16;
    spec_.steps = 3;
  }

  /// The checked steps with that many microbatches, compared with `reference`.
  RankReport trained(int horizon, const Reference& reference) {
    spec_.horizon = horizon;
    std::string row;
    for (const char* kind : {"0F", "0B"})
      for (int m = 0; m < horizon; ++m) row += kind + std::to_string(m) + " ";
    const auto file = temporary("board");
    Board board = Board::create(file, 1);
    std::filesystem::remove(file);
    testing::StillComm still(0, 1);
    Communicator comm({&still, &board, Clock::now() + std::chrono::seconds(60)});
    RankReport report;
    const auto record = temporary("record");
    const auto program = make_pipeline({spec_, comm, record, nullptr, testing::plan_of({0}, {row})});
    program->train(report);
    program->compare_with(reference, report);
    std::filesystem::remove(record);
    return report;
  }
  Reference reference(int horizon) {
    spec_.horizon = horizon;
    const auto file = temporary("reference");
    write_reference({spec_, {}, {}, 0}, file);
    Reference reference = Reference::load(file);
    std::filesystem::remove(file);  // the mapping stays
    return reference;
  }
  static std::filesystem::path temporary(const std::string& what) {
    return std::filesystem::temp_directory_path() / ("shardbench-one-rank-" + what + "-" + std::to_string(::getpid()));
  }
  Case spec_;
};

INSTANTIATE_TEST_SUITE_P(Losses, OneRank, ::testing::Values(Loss::sum, Loss::mse),
                         [](const auto& test) { return test.param == Loss::sum ? "sum" : "mse"; });

// 3 steps, in which a loss and its gradients are followed by updates: a scale that depended on the horizon would be
// seen in all losses but the first even if the first's were right.
TEST_P(OneRank, HasTheLossOfTheWholeBatchAtEveryHorizon) {
  const std::vector<double> whole = trained(1, reference(1)).losses;
  ASSERT_EQ(whole.size(), 3u);
  EXPECT_GT(std::abs(whole[2] - whole[0]), 0.01 * std::abs(whole[0]));
  for (const int horizon : {2, 4, 8, 16}) {
    const RankReport report = trained(horizon, reference(horizon));
    EXPECT_TRUE(report.gradients_difference.bitwise);
    EXPECT_TRUE(report.parameters_difference.bitwise);
    for (std::size_t step = 0; step < whole.size(); ++step)
      EXPECT_NEAR(report.losses[step], whole[step], 1e-5 * std::abs(whole[step])) << horizon;
  }
}

// What a program says that scales by the number of microbatches where the loss does not, or does not where it does.
TEST_P(OneRank, AWrongScaleOfGradientsIsCaught) {
  constexpr int horizon = 4;
  for (const float scale : {4.0F, 0.25F}) {
    Reference other = reference(horizon);
    std::vector<float> scaled(other.first_gradients.values.begin(), other.first_gradients.values.end());
    for (float& g : scaled) g *= scale;
    other.first_gradients.values = scaled;
    const Difference seen = trained(horizon, other).gradients_difference;
    EXPECT_FALSE(seen.bitwise);
    EXPECT_NEAR(seen.multiple, 1 / scale, 1e-6);
  }
}

// The losses of the reference's slices, as a pipeline adds them.
TEST_P(OneRank, TheReferencesSlicesMakeUpTheBatch) {
  const Reference whole = reference(1), parts = reference(8);
  for (std::size_t step = 0; step < whole.losses.size(); ++step) {
    const auto& slices = parts.losses[step];
    const double sum = std::accumulate(slices.begin(), slices.end(), 0.0);
    EXPECT_NEAR(GetParam() == Loss::sum ? sum : sum / 8, whole.losses[step][0], 1e-5 * std::abs(whole.losses[step][0]));
  }
  for (std::size_t i = 0; i < whole.gradients.values.size(); ++i)
    EXPECT_NEAR(parts.gradients.values[i], whole.gradients.values[i], 1e-5 * (1 + std::abs(whole.gradients.values[i])));
}

}  // namespace
}  // namespace shardbench
