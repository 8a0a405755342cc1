#include "suite/nearest.hpp"

#include <gtest/gtest.h>

namespace shardbench {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("world", "world", 9), 0U);
  EXPECT_EQ(edit_distance("wrld", "world", 9), 1U);
  EXPECT_EQ(edit_distance("worlds", "world", 9), 1U);
  EXPECT_EQ(edit_distance("worlt", "world", 9), 1U);
  EXPECT_EQ(edit_distance("owrld", "world", 9), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3U);
  EXPECT_EQ(edit_distance("", "abc", 9), 3U);
}

TEST(EditDistance, DoesNotTellCasesApart) { EXPECT_EQ(edit_distance("ReLU", "relu", 9), 0U); }

TEST(EditDistance, StopsAboveTheLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 3U);
  EXPECT_EQ(edit_distance("abcdefgh", "stuvwxyz", 1), 2U);
  EXPECT_EQ(edit_distance(std::string(1000000, 'a'), "a", 2), 3U);
}

TEST(NearestName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest_name("zero33", {"ddp", "zero1", "zero3"}), "zero3");
  EXPECT_EQ(nearest_name("warmpu", {"warmup", "world", "width"}), "warmup");
}

TEST(NearestName, IsTheFirstOfEquals) { EXPECT_EQ(nearest_name("zero4", {"zero2", "zero1"}), "zero2"); }

TEST(NearestName, IsNothingWhereNoneIsNear) {
  EXPECT_EQ(nearest_name("fsdp2", {"gloo", "mpi"}), "");
  EXPECT_EQ(nearest_name("x", {"m"}), "");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_name("", {"seed"}), "");
}

TEST(NearestName, IsTheSameWordInOtherCase) { EXPECT_EQ(nearest_name("GLOO", {"glo", "gloo"}), "gloo"); }

}  // namespace
}  // namespace shardbench
