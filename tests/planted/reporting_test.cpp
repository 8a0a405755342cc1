#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planted/planted_bugs.hpp"
#include "planted/runner.hpp"

using namespace shardbench::testing;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

namespace {

const PlantedBug& bug_named(const std::string& name) {
  for (const PlantedBug& bug : planted_bugs())
    if (bug.bug == name) return bug;
  throw std::runtime_error("no planted bug " + name);
}

}  // namespace

TEST(Reporting, ARunThatLeavesNoCaseIsAnError) {
  const Outcome outcome = call_driver("run", suite_of(bug_named("one_layer")), "--filter nothing_has_this_id");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.output, HasSubstr("no case is left by --filter 'nothing_has_this_id': nothing ran"));
  EXPECT_TRUE(outcome.results.is_null());
}

TEST(Reporting, ACrashedCaseCountsNothingAsPassed) {
  const Outcome outcome = call_driver("run", suite_of(bug_named("ungathered")), "--filter world=2/");
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_THAT(outcome.output, ContainsRegex("; 0 invariants passed, 0 failed, [1-9][0-9]* not run"));
}

TEST(Reporting, TheSummaryCountsPassedFailedAndNotRun) {
  const Outcome outcome = call_driver("run", suite_of(bug_named("one_layer")), "--filter world=2/");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.output,
              ContainsRegex("; [1-9][0-9]* invariants passed, [1-9][0-9]* failed, [1-9][0-9]* not run"));
}
