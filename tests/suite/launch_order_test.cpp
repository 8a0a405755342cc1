#include "suite/launch_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Case work(std::int64_t width, const std::string& backend, int launches) {
  Case c;
  c.id = std::to_string(width) + backend;
  c.strategy = "ddp";
  c.model.widths = {width, 1};
  c.backend = backend;
  c.launches = launches;
  return c;
}

TEST(LaunchOrder, OneLaunchEachIsTheOrderOfTheSuite) {
  EXPECT_THAT(launch_order({work(1, "gloo", 1), work(2, "gloo", 1), work(3, "gloo", 1)}), ElementsAre(0, 1, 2));
  EXPECT_THAT(launch_order({}), IsEmpty());
}

TEST(LaunchOrder, RoundsOfLaunchesFollowEachOther) {
  EXPECT_THAT(launch_order({work(1, "gloo", 3), work(2, "gloo", 1), work(3, "gloo", 2)}),
              ElementsAre(0, 1, 2, 0, 2, 0));
}

TEST(LaunchOrder, BackendsOfTheSameWorkAreNeighbours) {
  std::vector<Case> cases = {work(1, "gloo", 2), work(2, "gloo", 2), work(1, "mpi", 2), work(2, "mpi", 2)};
  EXPECT_THAT(launch_order(cases), ElementsAre(0, 2, 1, 3, 0, 2, 1, 3));
  cases[2].backend_options = {{"transport", "tcp"}};
  EXPECT_THAT(launch_order(cases), ElementsAre(0, 2, 1, 3, 0, 2, 1, 3));
  cases[2].study = "another table";
  EXPECT_THAT(launch_order(cases), ElementsAre(0, 1, 3, 2, 0, 1, 3, 2));
}

}  // namespace
}  // namespace shardbench
