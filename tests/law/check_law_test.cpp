#include "law/check_law.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

constexpr std::uint64_t below_zero = std::uint64_t{3} - 4;

std::string problem_of(const auto& law) {
  try {
    check_law(law, 5);
  } catch (const Error& e) {
    return e.problem();
  }
  return {};
}

std::string claims(const std::string& number, const std::string& what) {
  return "its law for rank 5 claims " + number + " for " + what + ", but numbers are from 0 to 2^63 - 1";
}

TEST(CheckLaw, TakesWhatIsPossible) {
  Law law;
  law.weights = law.peak = (std::uint64_t{1} << 63U) - 1;
  EXPECT_EQ(problem_of(law), "");
  EXPECT_EQ(problem_of(ScheduleLaw{0, 1'000'000}), "");
}

TEST(CheckLaw, RefusesWhatWentBelowZero) {
  const std::string number = "18446744073709551615";
  Law law;
  law.gradients = below_zero;
  EXPECT_EQ(problem_of(law), claims(number, "gradients"));
  law = {};
  law.peak = below_zero;
  EXPECT_EQ(problem_of(law), claims(number, "peak"));
  law = {};
  law.traffic[Operation::all_gather].sent_bytes = below_zero;
  EXPECT_EQ(problem_of(law), claims(number, "bytes sent by all_gather"));
  EXPECT_EQ(problem_of(ScheduleLaw{-1}), claims("-1", "microbatches in flight"));
  EXPECT_EQ(problem_of(ScheduleLaw{1, -2}), claims("-2", "microbatches in flight"));
}

TEST(CheckLaw, RefusesASumThatOverflows) {
  Law law;
  law.weights = law.gradients = std::uint64_t{1} << 62U;
  EXPECT_EQ(problem_of(law), claims("9223372036854775808", "weights, gradients and optimizer together"));
}

}  // namespace
}  // namespace shardbench
