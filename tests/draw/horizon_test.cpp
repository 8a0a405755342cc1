#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "draw/horizon_chart.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

CaseResult of(const char* schedule, int horizon, std::uint64_t bytes) {
  CaseResult result = good_pipeline();
  result.spec.schedule = schedule;
  result.spec.horizon = horizon;
  result.launches[0].ranks[1].activations_bytes = bytes;
  return result;
}

std::vector<CaseResult> study() {
  return {of("gpipe", 8, 16384), of("1f1b", 2, 4096), of("gpipe", 2, 4096), of("1f1b", 4, 4096),
          of("gpipe", 4, 8192),  of("1f1b", 8, 4096), of("zb<h1", 2, 2048), of("zb<h1", 4, 2048)};
}

}  // namespace

TEST(HorizonChart, HasALineForEachScheduleWithThreeHorizons) {
  const auto charts = horizon_charts(study());
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0].title, "activations, stages, world 2, gloo");
  ASSERT_EQ(charts[0].lines.size(), 2U);
  EXPECT_EQ(charts[0].lines[0].label, "gpipe");
  EXPECT_EQ(charts[0].lines[0].points.front().horizon, 2);
  EXPECT_EQ(charts[0].lines[0].points.back().bytes, 16384U);
  EXPECT_EQ(charts[0].longest(), 8);
  EXPECT_EQ(charts[0].most(), 16384U);
}

TEST(HorizonChart, IsNothingOfFewHorizonsOrNoReports) {
  EXPECT_TRUE(horizon_charts({of("gpipe", 2, 1), of("gpipe", 4, 1)}).empty());
  auto results = study();
  for (auto& result : results) result.launches.clear();
  EXPECT_TRUE(horizon_charts(results).empty());
}

TEST(HorizonChart, OnATerminal) {
  EXPECT_EQ(
      horizon_text(horizon_charts(study())[0], false),
      "Activations against the horizon: most bytes alive between two actions, activations, stages, world 2, gloo\n"
      "  gpipe  m = 2            4,096  ##########\n"
      "         m = 4            8,192  ####################\n"
      "         m = 8           16,384  ########################################\n"
      "  1f1b   m = 2            4,096  ##########\n"
      "         m = 4            4,096  ##########\n"
      "         m = 8            4,096  ##########\n");
}

TEST(HorizonChart, AsSvgNamesEveryLineAndPoint) {
  auto results = study();
  results.push_back(of("zb<h1", 8, 2048));
  const std::string svg = horizon_svg(horizon_charts(results)[0]);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("<title>gpipe, horizon 8: 16,384 bytes</title>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">zb&lt;h1</text>"), std::string::npos);
  EXPECT_EQ(svg.find("zb<h1"), std::string::npos);
}
