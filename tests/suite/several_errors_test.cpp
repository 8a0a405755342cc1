#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/support.hpp"

namespace shardbench {
namespace {

using testing::ElementsAre;

std::vector<std::string> places_of(const SuiteErrors& errors) {
  std::vector<std::string> places;
  for (const auto& problem : errors.problems()) places.push_back(problem.where());
  return places;
}

TEST(SeveralErrors, AreReportedTogetherInTheOrderOfTheLines) {
  const std::string text = pipeline({.schedule = "[\"1f1b\", \"gpip\"]",
                                     .world = "[2, 5, 0]",
                                     .horizon = "[3, \"x\"]",
                                     .more = "batch = 8\nsede = 1\noptimizer = \"adam\"\n[modle.x]\n"});
  try {
    parse(text);
    FAIL() << "the suite was taken";
  } catch (const SuiteErrors& errors) {
    EXPECT_THAT(places_of(errors),
                ElementsAre("suite.toml:6:21", "suite.toml:7:13", "suite.toml:7:16", "suite.toml:9:12",
                            "suite.toml:9:15", "suite.toml:11:1", "suite.toml:12:13", "suite.toml:13:2"));
    EXPECT_EQ(errors.problems().size(), 8U);
    EXPECT_TRUE(std::string(errors.what()).starts_with("suite.toml has 8 problems\nschedule is \"gpip\""));
    for (const auto& problem : errors.problems())
      EXPECT_THAT(std::string(errors.what()), testing::HasSubstr(problem.what()));
  }
}

TEST(SeveralErrors, ABadDefaultThatTwoTablesTakeIsOne) {
  const std::string text =
      training({.more = "[[training]]\nname = \"b\"\nstrategy = \"ddp\"\nworld = 2\nmodel = \"m\"\n"
                        "[defaults]\nbackend = \"glooo\"\nbatch = 0\n"});
  try {
    parse(text);
    FAIL() << "the suite was taken";
  } catch (const SuiteErrors& errors) {
    EXPECT_THAT(places_of(errors), ElementsAre("suite.toml:15:11", "suite.toml:16:9"));
  }
}

TEST(SeveralErrors, AWrongModelIsStillKnown) {
  try {
    parse(with_model("layers = 1\nwidth = 4\ndepth = 2\n") +
          "[[pipeline]]\nschedule = \"gpipe\"\nworld = 2\nhorizon = 1\nmodel = \"m\"\n");
    FAIL() << "the suite was taken";
  } catch (const SuiteErrors& errors) {
    ASSERT_EQ(errors.problems().size(), 2U);
    EXPECT_EQ(errors.problems()[0].problem(), "unknown key \"depth\" in [model.m]");
    EXPECT_EQ(errors.problems()[1].problem(), "world is 2, so 2 stages, but model m has 1 layers");
  }
}

}  // namespace
}  // namespace shardbench
