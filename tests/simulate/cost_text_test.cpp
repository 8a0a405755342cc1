#include "simulate/cost_text.hpp"

#include <gtest/gtest.h>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

TEST(CostText, NamesTheGradientsAsTheLawsDo) {
  const auto costs = parse_costs("F=2,B=1.5,W=0.5");
  ASSERT_EQ(costs.size(), 1U);
  EXPECT_EQ(costs[0].of(ActionKind::forward), 2);
  EXPECT_EQ(costs[0].of(ActionKind::backward_input), 1.5);
  EXPECT_EQ(costs[0].of(ActionKind::backward_weight), 0.5);
  EXPECT_EQ(costs[0].of(ActionKind::backward), 2);
  EXPECT_EQ(costs_text(costs), "F 2, B 1.5, W 0.5");
  EXPECT_EQ(costs_text(parse_costs("")), "F 1, B 1, W 1");
}

TEST(CostText, ListsStagesThatDiffer) {
  const auto costs = parse_costs("B=3,F=1/1/2");
  ASSERT_EQ(costs.size(), 3U);
  EXPECT_EQ(costs[2].forward, 2);
  EXPECT_EQ(costs[2].backward_input, 3);
  EXPECT_EQ(costs_text(costs), "F 1/1/2, B 3, W 1");
}

TEST(CostText, RefusesWhatIsNone) {
  for (const auto& [text, problem] : {std::pair{"X=1", "'X=1' has a part that is not F=, B= or W= and a number: 'X=1'"},
                                      {"F=1,", "'F=1,' has a part that is not F=, B= or W= and a number: ''"},
                                      {"F=", "'F=' has a part that is not F=, B= or W= and a number: 'F='"},
                                      {"F=-1", "'F=-1' has a cost that is no number of 0 or more: '-1'"},
                                      {"F=nan", "'F=nan' has a cost that is no number of 0 or more: 'nan'"},
                                      {"F=1x", "'F=1x' has a cost that is no number of 0 or more: '1x'"},
                                      {"F=1,F=2", "'F=1,F=2' gives twice 'F=2'"},
                                      {"F=1/2,W=1/2/3", "'F=1/2,W=1/2/3' has another number of stages in 'W=1/2/3'"}}) {
    try {
      parse_costs(text);
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), problem);
    }
  }
}

}  // namespace
}  // namespace shardbench
