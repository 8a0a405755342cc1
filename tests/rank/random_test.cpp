#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "cli/program.hpp"
#include "rank/random_cases.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

constexpr int cases_of_a_suite = 200;

/// The first seed of the long run: SHARDBENCH_SEED, or 1000.
std::uint32_t first_seed() {
  const char* given = std::getenv("SHARDBENCH_SEED");
  return given == nullptr ? 1000 : static_cast<std::uint32_t>(std::stoul(given));
}

/// A suite of random cases by its seed. Every law has to hold in every one of them, to the byte.
class RandomShapes : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  testing::TemporaryFolder folder_;
};

TEST_P(RandomShapes, AreGreen) {
  const auto cases = testing::random_cases(GetParam(), cases_of_a_suite);
  const auto suite = testing::write_file(folder_.path() / "random.toml", testing::suite_of(cases, SHUFFLED));
  const testing::Ended ended =
      testing::Program({"run", suite, "--out", "out"}, folder_.path()).wait(std::chrono::seconds(1800));
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto rows = testing::read_csv(folder_.path() / "out/results.csv");
  EXPECT_EQ(rows.size(), cases.size());
  for (const testing::Row& row : rows) {
    const auto random_case = [&](const testing::RandomCase& one) { return one.model == row.at("model"); };
    EXPECT_EQ(row.at("status"), "ok") << row.at("detail") << "\n\nThis case alone, as a suite:\n\n"
                                      << testing::suite_of({*std::find_if(cases.begin(), cases.end(), random_case)},
                                                           SHUFFLED);
  }
}

INSTANTIATE_TEST_SUITE_P(Quick, RandomShapes, ::testing::Values(1));
INSTANTIATE_TEST_SUITE_P(Nightly, RandomShapes, ::testing::Range(first_seed(), first_seed() + 10));

}  // namespace
}  // namespace shardbench
