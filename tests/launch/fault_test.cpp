#include "launch/fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "launch/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::MatchesRegex;
namespace fs = std::filesystem;

constexpr BoardEntry gather{Operation::all_gather, DType::float32, ReduceOp::sum, -1, 0, 8};

TEST(Activity, SaysWhereARankIs) {
  EXPECT_EQ(activity({}), "before its first operation");
  EXPECT_EQ(activity({3, true, gather, 1.25}), "in all_gather of 8 float32 (collectives so far: 3) for 1.2 s");
  EXPECT_EQ(activity({3, false, gather, 12}),
            "computing for 12.0 s after all_gather of 8 float32 (collectives so far: 3)");
}

// Rank 1 is a collective behind its peers, rank 2 computes: they wait for rank 2 first, then for rank 1.
TEST(Blame, BeginsWithTheOneThatTheOthersWaitFor) {
  const TemporaryFolder folder;
  Board board = Board::create(folder.path() / "board", 4);
  for (const int rank : {0, 0, 1, 2, 3, 3}) {
    board.begin(rank, gather);
    if (rank == 2) board.end(rank);
  }
  EXPECT_THAT(blame(board), MatchesRegex("rank 2 is computing for .*; rank 1 is in all_gather .* so far: 1.*; "
                                         "rank 0 is in .* so far: 2.*; rank 3 is in .* so far: 2.*"));
}

TEST(LastWords, AreTheEndOfTheLog) {
  const TemporaryFolder folder;
  const fs::path log = folder.path() / "log";
  EXPECT_EQ(last_words(log), "");
  std::ofstream(log) << std::string(1000, 'x') << "the end\n\n";
  EXPECT_EQ(last_words(log).size(), 598u);
  EXPECT_THAT(last_words(log), ::testing::EndsWith("xthe end"));
}

TEST(TemporaryFolderTest, IsPrivateAndGoneAfterwards) {
  fs::path path;
  {
    const TemporaryFolder folder, other;
    path = folder.path();
    EXPECT_NE(path, other.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directory(path / "inside");
    std::ofstream(path / "inside" / "file") << "x";
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace shardbench
