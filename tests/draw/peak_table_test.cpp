#include "draw/peak_table.hpp"

#include <gtest/gtest.h>

#include "draw/pictures.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(PeakTable, TellsTheMomentAndWhatIsAliveThen) {
  CaseResult layer = case_with_phases();
  layer.spec.strategy = "zero3";
  layer.spec.unit = UnitPolicy::layer;
  EXPECT_EQ(
      peak_table({case_with_phases(), layer}, {}),
      R"(  study    subject  world  unit    peak  predicted  moment  weights  gradients  optimizer  activations  communication  temporary
  at-rest  zero2        2  root   3,000      3,000  loss      1,000        600        400        1,000              0          0
  at-rest  zero3        2  layer  3,000      3,000  loss      1,000        600        400        1,000              0          0
)");
}

TEST(PeakTable, IsEmptyWithoutPhases) {
  CaseResult none = good_training();
  none.launches.clear();
  EXPECT_EQ(peak_table({none}, {}), "");
}
