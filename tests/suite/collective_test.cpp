#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/support.hpp"

namespace shardbench {
namespace {

using testing::ElementsAre;

Suite collectives(const std::string& keys) { return parse("schema = 1\n[[collective]]\n" + keys); }

TEST(Collectives, HaveWhatIsComparedSideBySide) {
  EXPECT_THAT(
      ids_of(collectives("operation = [\"send\", \"all_reduce\"]\nbytes = [8, \"64 KiB\"]\nworld = [4, 2]\n"
                         "backend_options = { mode = [\"sync\", \"async\"] }\n")),
      ElementsAre(
          "collective/send/gloo/world=4/bytes=8B/mode=sync", "collective/send/gloo/world=4/bytes=8B/mode=async",
          "collective/send/gloo/world=4/bytes=64KiB/mode=sync", "collective/send/gloo/world=4/bytes=64KiB/mode=async",
          "collective/send/gloo/world=2/bytes=8B/mode=sync", "collective/send/gloo/world=2/bytes=8B/mode=async",
          "collective/send/gloo/world=2/bytes=64KiB/mode=sync", "collective/send/gloo/world=2/bytes=64KiB/mode=async",
          "collective/all_reduce/gloo/world=4/bytes=8B/mode=sync",
          "collective/all_reduce/gloo/world=4/bytes=8B/mode=async",
          "collective/all_reduce/gloo/world=4/bytes=64KiB/mode=sync",
          "collective/all_reduce/gloo/world=4/bytes=64KiB/mode=async",
          "collective/all_reduce/gloo/world=2/bytes=8B/mode=sync",
          "collective/all_reduce/gloo/world=2/bytes=8B/mode=async",
          "collective/all_reduce/gloo/world=2/bytes=64KiB/mode=sync",
          "collective/all_reduce/gloo/world=2/bytes=64KiB/mode=async"));
}

TEST(Collectives, TakeOnlyTheAxesThatTheyHave) {
  EXPECT_THAT(ids_of(collectives("name = \"s\"\noperation = [\"barrier\", \"all_gather\", \"reduce_scatter\"]\n"
                                 "bytes = 16\nworld = 2\ndtype = [\"float32\", \"uint8\"]\n"
                                 "reduction = [\"sum\", \"max\"]\n")),
              ElementsAre("s/collective/barrier/gloo/world=2", "s/collective/all_gather/gloo/world=2/bytes=16B",
                          "s/collective/all_gather/gloo/world=2/bytes=16B/uint8",
                          "s/collective/reduce_scatter/gloo/world=2/bytes=16B",
                          "s/collective/reduce_scatter/gloo/world=2/bytes=16B/max",
                          "s/collective/reduce_scatter/gloo/world=2/bytes=16B/uint8",
                          "s/collective/reduce_scatter/gloo/world=2/bytes=16B/max/uint8"));
}

TEST(Collectives, RoundAndWorkInPlaceWhereThatMeansSomething) {
  EXPECT_THAT(ids_of(collectives("operation = [\"all_reduce\", \"all_gather\", \"reduce_scatter\", \"send_tags\"]\n"
                                 "bytes = 16\nworld = 2\nvalues = [\"exact\", \"rounding\"]\n"
                                 "in_place = [false, true]\n")),
              ElementsAre("collective/all_reduce/gloo/world=2/bytes=16B",
                          "collective/all_reduce/gloo/world=2/bytes=16B/rounding",
                          "collective/all_gather/gloo/world=2/bytes=16B",
                          "collective/all_gather/gloo/world=2/bytes=16B/in_place",
                          "collective/reduce_scatter/gloo/world=2/bytes=16B",
                          "collective/reduce_scatter/gloo/world=2/bytes=16B/in_place",
                          "collective/reduce_scatter/gloo/world=2/bytes=16B/rounding",
                          "collective/reduce_scatter/gloo/world=2/bytes=16B/rounding/in_place",
                          "collective/send_tags/gloo/world=2/bytes=16B"));
}

TEST(Collectives, KnowSizesByUnitsAndByRanges) {
  const auto sizes = [](const std::string& bytes) {
    std::vector<std::uint64_t> all;
    for (const auto& c : collectives("operation = \"all_reduce\"\nworld = 2\nbytes = " + bytes + "\n").cases)
      all.push_back(c.bytes);
    return all;
  };
  EXPECT_THAT(sizes("[8, \"8 KiB\", \"16MiB\", \"1 GiB\", \"12 B\"]"),
              ElementsAre(8u, 8192u, 16777216u, 1073741824u, 12u));
  EXPECT_THAT(sizes("{ from = 8, to = \"1 KiB\", factor = 4 }"), ElementsAre(8u, 32u, 128u, 512u));
  EXPECT_THAT(sizes("{ from = \"4 B\", to = 16 }"), ElementsAre(4u, 8u, 16u));
}

TEST(Collectives, HaveTheirDefaultsAndThoseOfTheSuite) {
  const Suite suite = parse(
      "schema = 1\n[model.m]\nlayers = 2\nwidth = 4\n[defaults]\nworld = 3\nlaunches = 4\nmodel = \"m\"\n"
      "options = { partition = \"flat\" }\n[[training]]\nstrategy = \"zero1\"\n[[collective]]\n"
      "operation = \"all_reduce\"\nbytes = 8\n");
  const Case& c = suite.cases.at(1);
  EXPECT_EQ(c.program, Program::collective);
  EXPECT_EQ(c.subject(), "all_reduce");
  EXPECT_EQ(c.reduction, ReduceOp::sum);
  EXPECT_EQ(c.world, 3);
  EXPECT_EQ(c.launches, 4);
  EXPECT_EQ(c.warmup, 2);
  EXPECT_EQ(c.iterations, 20);
  EXPECT_EQ(c.dtype, DType::float32);
  EXPECT_EQ(c.deadline_s, 60);
  EXPECT_TRUE(c.options.empty());
  EXPECT_TRUE(c.model.name.empty());
  EXPECT_FALSE(c.optimize);
  EXPECT_EQ(suite.cases.at(0).launches, 4);
  EXPECT_FALSE(suite.cases.at(0).operation);
}

TEST(Collectives, ComeAfterPipelines) {
  const Suite suite = parse(
      "schema = 1\n[model.m]\nlayers = 2\nwidth = 4\n[defaults]\nworld = 2\n"
      "[[collective]]\noperation = \"barrier\"\n"
      "[[pipeline]]\nschedule = \"gpipe\"\nhorizon = 2\nmodel = \"m\"\n");
  EXPECT_THAT(ids_of(suite), ElementsAre("pipeline/gpipe/gloo/m/world=2/horizon=2", "collective/barrier/gloo/world=2"));
}

}  // namespace
}  // namespace shardbench
