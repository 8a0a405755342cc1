#include "control/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr BoardEntry all_reduce(std::uint64_t count) {
  return {Operation::all_reduce, DType::float32, ReduceOp::sum, -1, 0, count};
}

/// The board of two ranks, seen twice, as two processes see it.
class BoardTest : public ::testing::Test {
 protected:
  BoardTest() : file_(make_file()), driver_(Board::create(file_, 2)), ranks_(Board::open(file_, 2)) {}
  ~BoardTest() override { fs::remove(file_); }

  void pass(int rank, const BoardEntry& entry) {
    ranks_.begin(rank, entry);
    ranks_.end(rank);
  }
  /// Rank 0 calls `first`, then rank 1 `second`.
  std::string disagreement(const BoardEntry& first, const BoardEntry& second) {
    pass(0, first);
    try {
      ranks_.begin(1, second);
    } catch (const Error& e) {
      EXPECT_EQ(e.cure(), "make every rank call the same operation with the same size");
      return e.problem();
    }
    return "ranks agree";
  }

  fs::path file_;
  Board driver_, ranks_;

 private:
  static fs::path make_file() {
    std::string name = (fs::temp_directory_path() / "shardbench-board-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) throw Error("no temporary file");
    ::close(descriptor);
    return name;
  }
};

TEST_F(BoardTest, IdenticalCollectivesPass) {
  const BoardEntry entries[] = {{Operation::barrier},
                                all_reduce(8),
                                {Operation::broadcast, DType::int64, ReduceOp::sum, 1, 0, 5},
                                {Operation::reduce_scatter, DType::bfloat16, ReduceOp::max, -1, 0, 6},
                                {Operation::all_gather, DType::uint8, ReduceOp::sum, -1, 0, 0}};
  for (const BoardEntry& entry : entries)
    for (int rank : {0, 1}) EXPECT_NO_THROW(pass(rank, entry));
}

TEST_F(BoardTest, AnotherCountIsFoundByTheLaterRank) {
  EXPECT_EQ(disagreement(all_reduce(8), all_reduce(9)),
            "ranks disagree on collective 1: rank 1 calls all_reduce of 9 float32 (sum), rank 0 called all_reduce of 8 "
            "float32 (sum)");
}

TEST_F(BoardTest, AnotherOperationIsFound) {
  EXPECT_EQ(disagreement(all_reduce(8), {Operation::all_gather, DType::float32, ReduceOp::sum, -1, 0, 8}),
            "ranks disagree on collective 1: rank 1 calls all_gather of 8 float32, rank 0 called all_reduce of 8 "
            "float32 (sum)");
}

TEST_F(BoardTest, AnotherRootIsFound) {
  EXPECT_EQ(
      disagreement({Operation::broadcast, DType::float32, ReduceOp::sum, 0, 0, 8},
                   {Operation::broadcast, DType::float32, ReduceOp::sum, 1, 0, 8}),
      "ranks disagree on collective 1: rank 1 calls broadcast of 8 float32 from rank 1, rank 0 called broadcast of 8 "
      "float32 from rank 0");
}

TEST_F(BoardTest, AnotherDtypeAndAnotherReductionAreFound) {
  EXPECT_THAT(disagreement(all_reduce(8), {Operation::all_reduce, DType::int32, ReduceOp::sum, -1, 0, 8}),
              HasSubstr("all_reduce of 8 int32 (sum), rank 0 called all_reduce of 8 float32 (sum)"));
}

TEST_F(BoardTest, AnotherReductionIsFound) {
  EXPECT_THAT(disagreement(all_reduce(8), {Operation::all_reduce, DType::float32, ReduceOp::max, -1, 0, 8}),
              HasSubstr("all_reduce of 8 float32 (max), rank 0 called all_reduce of 8 float32 (sum)"));
}

TEST_F(BoardTest, SendsAndReceivesAreNotCompared) {
  pass(0, {Operation::send, DType::float32, ReduceOp::sum, 1, 7, 128});
  pass(0, all_reduce(8));
  EXPECT_NO_THROW(pass(1, {Operation::recv, DType::float32, ReduceOp::sum, 0, 7, 128}));
  EXPECT_NO_THROW(pass(1, all_reduce(8)));
  EXPECT_EQ(driver_.state(0).collectives, 1u);
}

// 64 collectives are remembered: beyond that a slot holds a later one and is not mistaken for the earlier.
TEST_F(BoardTest, TheRingWrapsAround) {
  for (std::uint64_t i = 1; i <= 200; ++i)
    for (int rank : {0, 1}) ASSERT_NO_THROW(pass(rank, all_reduce(i)));
  EXPECT_EQ(driver_.state(1).collectives, 200u);
  pass(0, all_reduce(7));
  EXPECT_THROW(ranks_.begin(1, all_reduce(8)), Error);
}

TEST_F(BoardTest, ARankFarBehindComparesNothingThatIsGone) {
  for (std::uint64_t i = 1; i <= 65; ++i) pass(0, all_reduce(i));
  EXPECT_NO_THROW(pass(1, all_reduce(1000)));  // collective 1 of rank 0 was overwritten by its 65th
  EXPECT_THROW(ranks_.begin(1, all_reduce(1000)), Error);
}

TEST_F(BoardTest, TheDriverSeesWhatARankDoes) {
  EXPECT_FALSE(driver_.state(0).last.has_value());
  EXPECT_FALSE(driver_.state(0).inside);
  const auto before = std::chrono::steady_clock::now();
  ranks_.begin(0, all_reduce(526336));
  RankState state = driver_.state(0);
  const std::chrono::duration<double> most = std::chrono::steady_clock::now() - before;
  EXPECT_TRUE(state.inside);
  EXPECT_EQ(state.collectives, 1u);
  ASSERT_TRUE(state.last.has_value());
  EXPECT_EQ(text(*state.last), "all_reduce of 526336 float32 (sum)");
  EXPECT_GE(state.seconds_ago, 0);
  EXPECT_LE(state.seconds_ago, most.count());
  ranks_.end(0);
  state = driver_.state(0);
  EXPECT_FALSE(state.inside);
  EXPECT_TRUE(state.last.has_value());
  EXPECT_FALSE(driver_.state(1).last.has_value());
}

TEST(BoardText, NamesWhatIsTold) {
  EXPECT_EQ(text(BoardEntry{Operation::barrier}), "barrier");
  EXPECT_EQ(text(BoardEntry{Operation::broadcast, DType::int64, ReduceOp::sum, 2, 0, 3}),
            "broadcast of 3 int64 from rank 2");
  EXPECT_EQ(text(BoardEntry{Operation::reduce_scatter, DType::float16, ReduceOp::min, -1, 0, 3}),
            "reduce_scatter of 3 float16 (min)");
  EXPECT_EQ(text(BoardEntry{Operation::all_to_all, DType::uint8, ReduceOp::sum, -1, 0, 3}), "all_to_all of 3 uint8");
  EXPECT_EQ(text(BoardEntry{Operation::send, DType::float32, ReduceOp::sum, 1, 6, 128}),
            "send of 128 float32 to rank 1 (tag 6)");
  EXPECT_EQ(text(BoardEntry{Operation::recv, DType::float32, ReduceOp::sum, 0, 6, 128}),
            "recv of 128 float32 from rank 0 (tag 6)");
}

TEST(BoardFile, ThatCannotBeWrittenIsAnError) { EXPECT_THROW(Board::create("/nowhere/at/all", 2), Error); }

}  // namespace
}  // namespace shardbench
