#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include <ATen/ops/tensor.h>
#include <unistd.h>

#include "rank/comparison.hpp"
#include "rank/gradient_record.hpp"
#include "rank/reference.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Two tensors of three elements.
ParameterLayout two_tensors() { return {{"a", "b"}, {0, 3, 6}}; }

Difference compared(const std::vector<float>& wanted, const std::vector<float>& got,
                    const std::vector<float>& bounds = {}, const std::vector<float>& mistake = {}) {
  const ParameterLayout layout = two_tensors();
  ElementComparison comparison(layout, {wanted, bounds}, {mistake});
  comparison.add(got, 0);
  return comparison.result();
}

/// A folder of this test alone.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("reference_test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Case three_ranks() {
  Case spec;
  spec.world = 3;
  spec.model = {.name = "m", .widths = {2, 3, 1}, .activation = Activation::relu, .loss = Loss::mse};
  spec.batch = 2;
  spec.steps = 2;
  return spec;
}

Reference run(const ReferenceInput& in, const std::filesystem::path& folder) {
  write_reference(in, folder / "reference");
  return Reference::load(folder / "reference");
}

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

/// Records of three ranks that all show `by_step`.
std::vector<std::filesystem::path> records(const std::filesystem::path& folder,
                                           const std::vector<std::vector<float>>& by_step) {
  std::vector<std::filesystem::path> files;
  for (int rank = 0; rank < 3; ++rank) {
    files.push_back(record_of(folder, rank));
    GradientWriter writer(files.back());
    for (std::size_t step = 0; step < by_step.size(); ++step)
      writer.add(static_cast<int>(step), {{0, at::tensor(by_step[step])}}, {});
  }
  return files;
}

}  // namespace

TEST(ElementComparison, DemandsEveryBitWithoutBounds) {
  const Difference same = compared({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(same.equal() && same.bitwise && same.exact);
  const Difference ulp = compared({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, std::nextafter(5.0F, 6.0F), 6});
  EXPECT_FALSE(ulp.equal());
  EXPECT_EQ(ulp.where, "b[1]");
  EXPECT_DOUBLE_EQ(ulp.max_abs, std::nextafter(5.0F, 6.0F) - 5.0F);
  EXPECT_FALSE(compared({0, 2, 3, 4, 5, 6}, {-0.0F, 2, 3, 4, 5, 6}).equal()) << "zeros of both signs differ in a bit";
}

TEST(ElementComparison, AllowsWhatTheBoundsAllow) {
  const std::vector<float> bounds(6, 0.5F);
  const Difference within = compared({1, 2, 3, 4, 5, 6}, {1.5F, 2, 3, 4, 5, 5.75F}, bounds);
  EXPECT_TRUE(within.equal());
  EXPECT_FALSE(within.bitwise || within.exact);
  EXPECT_DOUBLE_EQ(within.max_tolerated_ratio, 1);
  const Difference beyond = compared({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6.75F}, bounds);
  EXPECT_FALSE(beyond.equal());
  EXPECT_DOUBLE_EQ(beyond.max_tolerated_ratio, 1.5);
  EXPECT_FALSE(compared({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 7}, std::vector<float>(6, 0)).equal());
}

TEST(ElementComparison, NoNumberHidesOneThatIsNotFinite) {
  for (const std::vector<float>& bounds : {std::vector<float>{}, std::vector<float>(6, 1e30F)})
    for (const float bad : {nan, infinite, -infinite})
      for (std::size_t at = 0; at < 6; ++at) {
        std::vector<float> got = {1.1F, 2, 3, 4, 5, 6.5F};
        got[at] = bad;
        const Difference d = compared({1, 2, 3, 4, 5, 6}, got, bounds);
        EXPECT_FALSE(d.equal()) << bad << " at " << at;
        EXPECT_EQ(d.max_abs, std::numeric_limits<double>::infinity());
        EXPECT_EQ(d.where, element_text(two_tensors(), static_cast<std::int64_t>(at)));
      }
  EXPECT_FALSE(compared({nan, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}).equal());
  EXPECT_FALSE(compared({infinite, 2, 3, 4, 5, 6}, {-infinite, 2, 3, 4, 5, 6}).equal());
  EXPECT_TRUE(compared({nan, infinite, 3, 4, 5, 6}, {-nan, infinite, 3, 4, 5, 6}).equal());
}

TEST(ElementComparison, FindsAFactorAndAKnownMistake) {
  const Difference twice = compared({1, 2, 3, 4, 5, 6}, {2, 4, 6, 8, 10, 12});
  EXPECT_DOUBLE_EQ(twice.multiple, 2);
  EXPECT_EQ(twice.known_mistake, 0);
  const Difference own = compared({1, 2, 3, 4, 5, 6}, {1, 7, 3, 4, 5, 6}, {}, {9, 7, 9, 9, 9, 9});
  EXPECT_EQ(own.known_mistake, 1);
  EXPECT_EQ(own.multiple, 0);
}

TEST(ElementComparison, RefusesWhatDoesNotFit) {
  const ParameterLayout layout = two_tensors();
  const std::vector<float> wanted(6), got(3);
  ElementComparison comparison(layout, {wanted});
  EXPECT_THROW(comparison.add(got, 4), Error);
  EXPECT_THROW(comparison.add(got, -1), Error);
  EXPECT_THROW(comparison.add(got, std::numeric_limits<std::int64_t>::max()), Error);
  EXPECT_FALSE(comparison.result().compared);
}

namespace {

/// A tensor of 32 elements and one of 2, all 1; the second run is 1e-4 apart in each.
Difference drifted(const std::function<void(std::vector<float>&)>& change) {
  const ParameterLayout layout{{"a", "b"}, {0, 32, 34}};
  const std::vector<float> wanted(34, 1), apart(34, 1.0001F);
  std::vector<float> got = wanted;
  change(got);
  DriftComparison comparison(layout, wanted, apart);
  comparison.add(std::span(got).first(32), 0);
  comparison.add(std::span(got).subspan(32), 32);
  return comparison.result();
}

}  // namespace

TEST(DriftComparison, AllowsWhatRoundingCanDoAndAFewOutliers) {
  EXPECT_TRUE(drifted([](auto&) {}).bitwise);
  const Difference within = drifted([](auto& got) { std::ranges::for_each(got, [](float& g) { g += 3e-4F; }); });
  EXPECT_TRUE(within.equal());
  EXPECT_FALSE(within.exact || within.bitwise);
  EXPECT_TRUE(drifted([](auto& got) { got[0] = got[9] = got[31] = 5; }).equal());
  EXPECT_TRUE(drifted([](auto& got) { got[33] = 5; }).equal()) << "too few to tell";
}

TEST(DriftComparison, FindsWhatMostElementsOfATensorHave) {
  const Difference all = drifted([](auto& got) { std::ranges::for_each(got, [](float& g) { g += 6e-4F; }); });
  EXPECT_FALSE(all.equal());
  EXPECT_GT(all.max_tolerated_ratio, 1.2);
  EXPECT_FALSE(drifted([](auto& got) { got[0] = got[1] = got[9] = got[31] = 5; }).equal());
  for (const float bad : {nan, infinite}) {
    const Difference d = drifted([&](auto& got) { std::fill_n(got.begin(), 4, bad); });
    EXPECT_FALSE(d.equal());
    EXPECT_EQ(d.where, "a[0]");
  }
}

/// Whatever the order, and wherever it is divided, a float32 average stays within the bound; most sums in the wrong
/// number of terms do not.
TEST(GradientBound, HoldsForEveryOrderOfAdditions) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  double closest = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const int terms = 3 + trial % 14;
    std::vector<float> numbers;
    double sum = 0, magnitudes = 0;
    for (int i = 0; i < terms; ++i) {
      numbers.push_back(normal(random) * std::exp2(normal(random) * 3));
      sum += numbers.back();
      magnitudes += std::abs(numbers.back());
    }
    std::shuffle(numbers.begin(), numbers.end(), random);
    float after = 0, before = 0;
    for (const float n : numbers) {
      after += n;
      before += n / static_cast<float>(terms);
    }
    const float exact = static_cast<float>(sum / terms);
    const float bound = static_cast<float>(gradient_bound(terms, magnitudes));
    for (const float average : {after / static_cast<float>(terms), after * (1 / static_cast<float>(terms)), before}) {
      ASSERT_LE(std::abs(average - exact), bound) << terms << " terms, trial " << trial;
      closest = std::max(closest, static_cast<double>(std::abs(average - exact) / bound));
    }
  }
  EXPECT_GT(closest, 0.1) << "the bound is far from what happens";
  EXPECT_LT(gradient_bound(3, 3), 1e-6);
}

TEST(GradientRecord, GivesBackWhatWasWritten) {
  const Folder folder;
  {
    GradientWriter writer(folder.path() / "r");
    writer.add(0, {{2, at::tensor({1.0F, 2.0F})}, {7, at::tensor({3.0F})}}, {4, 5});
    writer.add(1, {}, {});
  }
  GradientReader reader(folder.path() / "r");
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->step, 0);
  ASSERT_EQ(first->pieces.size(), 2U);
  EXPECT_EQ(first->pieces[0].begin, 2);
  EXPECT_EQ(first->pieces[0].values, (std::vector<float>{1, 2}));
  EXPECT_EQ(first->pieces[1].values, (std::vector<float>{3}));
  EXPECT_EQ(first->own, (std::vector<float>{4, 5}));
  ASSERT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(GradientRecord, TellsAFileThatIsCutShort) {
  const Folder folder;
  GradientWriter(folder.path() / "r").add(0, {{0, at::tensor({1.0F, 2.0F})}}, {});
  std::filesystem::resize_file(folder.path() / "r", std::filesystem::file_size(folder.path() / "r") - 1);
  GradientReader reader(folder.path() / "r");
  EXPECT_THROW(reader.next(), Error);
  EXPECT_THROW(GradientReader(folder.path() / "none"), Error);
}

TEST(Reference, HasBoundsWhereThereAreSeveralOrders) {
  const Folder folder;
  Case spec = three_ranks();
  spec.world = 2;
  const Reference two = run({spec, {}, {}, 3}, folder.path());
  EXPECT_TRUE(two.gradients.bounds.empty() && two.parameters_end_apart.empty());
  EXPECT_EQ(two.losses.size(), 2U);
  EXPECT_EQ(two.losses[0].size(), 2U);
  EXPECT_EQ(two.steps_after, 3);
  EXPECT_NE(copy(two.parameters), copy(two.parameters_end));
  EXPECT_NE(copy(two.parameters_before), copy(two.parameters_first));
}

TEST(Reference, FollowsTheOrderThatTheRanksShow) {
  const Folder folder;
  const std::vector<float> nothing(static_cast<std::size_t>(parameter_layout(three_ranks().model).elements()));
  // What the averages are is told by a run that refuses zeros.
  const Reference refused = run({three_ranks(), {}, records(folder.path(), {nothing, nothing}), 0}, folder.path());
  EXPECT_THAT(refused.refused_gradient, HasSubstr("in checked step 1 is 0, but the average is"));
  std::vector<float> shown = copy(refused.first_gradients.values), last = copy(refused.gradients.values);
  const Reference exact = run({three_ranks(), {}, records(folder.path(), {shown, last}), 2}, folder.path());
  EXPECT_EQ(exact.refused_gradient, "");
  // Half of the bound away: another order of additions, and other parameters to be met bit by bit.
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] += exact.first_gradients.bounds[i] / 2;
  ReferenceInput in{three_ranks(), {}, records(folder.path(), {shown, last}), 2};
  in.spec.optimizer.kind = OptimizerKind::sgd;
  in.spec.optimizer.learning_rate = 1;
  const Reference followed = run(in, folder.path());
  EXPECT_EQ(copy(followed.first_gradients.values), shown);
  for (std::size_t i = 0; i < shown.size(); ++i)
    EXPECT_EQ(followed.parameters_before[i], followed.parameters_first[i] - shown[i]);
  EXPECT_NE(copy(followed.parameters_end), copy(followed.parameters_end_apart));
}

TEST(Reference, SaysWhereTheTrainingDiverges) {
  const Folder folder;
  Case spec = three_ranks();
  spec.world = 2;
  spec.steps = 9;
  spec.model.activation = Activation::none;
  spec.optimizer = {.kind = OptimizerKind::sgd, .learning_rate = 1e18};
  const Reference reference = run({spec, {}, {}, 0}, folder.path());
  ASSERT_TRUE(reference.not_finite);
  EXPECT_GT(reference.not_finite->step, 1);
  EXPECT_LT(reference.not_finite->step, 9);
  EXPECT_FALSE(reference.later_not_finite);
  spec.steps = 1;
  const Reference later = run({spec, {}, {}, 8}, folder.path());
  EXPECT_FALSE(later.not_finite);
  EXPECT_TRUE(later.later_not_finite);
}

TEST(Reference, TellsAFileThatIsCutShort) {
  const Folder folder;
  run({three_ranks(), {}, records(folder.path(), {std::vector<float>(13), std::vector<float>(13)}), 0}, folder.path());
  for (const std::uintmax_t bytes : {2, 100, 700}) {
    std::filesystem::resize_file(folder.path() / "reference", bytes);
    EXPECT_THROW(Reference::load(folder.path() / "reference"), Error) << bytes;
  }
}

}  // namespace shardbench
