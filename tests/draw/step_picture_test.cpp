#include "draw/step_picture.hpp"

#include <gtest/gtest.h>

#include "draw/pictures.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(StepPicture, IsOfTheRankWithTheHighestPeak) {
  const auto picture = step_picture(case_with_phases());
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->title, "zero2-w2");
  EXPECT_EQ(picture->rank, 1);
  EXPECT_EQ(picture->peak, 3000U);
  EXPECT_EQ(picture->law, 3000U);
  ASSERT_EQ(picture->bars.size(), 2U);
  EXPECT_EQ(picture->bars[0].label, "loss");
  EXPECT_TRUE(picture->bars[0].peak);
  EXPECT_FALSE(picture->bars[1].peak);
  EXPECT_EQ(picture->scale(), 3000U);
}

TEST(StepPicture, OnTiesIsOfTheLowestRank) {
  CaseResult result = case_with_phases();
  result.launches[0].ranks[0] = result.launches[0].ranks[1];
  result.launches[0].ranks[0].rank = 0;
  EXPECT_EQ(step_picture(result)->rank, 0);
}

TEST(StepPicture, OfAPipelineHasTheLawOfItsPlan) {
  CaseResult result = good_pipeline();
  result.launches[0].ranks[0].phases = {{"0F0", {4224, 4224, 0, 11552, 0, 0}}};
  const auto picture = step_picture(result);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->law, 20000U);
}

TEST(StepPicture, IsNothingWithoutPhases) {
  CaseResult result = case_with_phases();
  for (auto& r : result.launches[0].ranks) r.phases.clear();
  EXPECT_FALSE(step_picture(result));
  result.launches.clear();
  EXPECT_FALSE(step_picture(result));
}

TEST(StepPicture, SentencesHaveBothNumbers) {
  StepPicture picture = small_picture();
  EXPECT_EQ(peak_sentence(picture), "peak: 48,000 bytes on rank 1 of 2, in backward of unit 0; the law says 48,000");
  picture.law.reset();
  EXPECT_EQ(peak_sentence(picture), "peak: 48,000 bytes on rank 1 of 2, in backward of unit 0");
  EXPECT_EQ(roles_sentence(picture.at_peak),
            "weights 16,000, gradients 8,000, optimizer 16,000, activations 4,000, temporary 4,000");
  EXPECT_EQ(roles_sentence({}), "nothing");
}
