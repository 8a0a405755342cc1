#include "plugin/rank_library.hpp"

#include <gtest/gtest.h>

#include "plugin/search.hpp"
#include "support.hpp"

namespace shardbench {
namespace {

using testing::Environment;
using testing::error_of;
using testing::fixture;

TEST(RankLibrary, IsBesideTheExecutable) {
  const Environment variable("SHARDBENCH_RANK_LIBRARY", "");
  EXPECT_EQ(rank_library_file(), executable_folder().parent_path() / "lib/libshardbench_rank.so");
}

TEST(RankLibrary, IsWhereTheVariableSays) {
  const Environment variable("SHARDBENCH_RANK_LIBRARY", fixture("right"));
  EXPECT_EQ(rank_library_file(), fixture("right"));
  EXPECT_TRUE(load_rank_library().is_loaded());
}

TEST(RankLibrary, MissingIsAnErrorWithTheCure) {
  const Environment variable("SHARDBENCH_RANK_LIBRARY", "/nowhere/librank.so");
  const auto error = error_of([] { load_rank_library(); });
  EXPECT_EQ(error.problem(), "the library of the rank programs is not there, so nothing can be run");
  EXPECT_EQ(error.where(), "/nowhere/librank.so");
  EXPECT_EQ(error.cure(), "build or install shardbench completely, or name the file in SHARDBENCH_RANK_LIBRARY");
}

TEST(RankLibrary, ThatCannotBeLoadedTellsWhatTheLoaderSaid) {
  const Environment variable("SHARDBENCH_RANK_LIBRARY", fixture("undefined"));
  const auto error = error_of([] { load_rank_library(); });
  EXPECT_EQ(error.problem(), "the loader refuses the library of the rank programs: " + fixture("undefined").string() +
                                 ": undefined symbol: a_function_that_no_library_has");
}

}  // namespace
}  // namespace shardbench
