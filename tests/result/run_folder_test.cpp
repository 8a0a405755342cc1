#include "result/run_folder.hpp"

#include <gtest/gtest.h>

#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
namespace fs = std::filesystem;

namespace {
const std::chrono::system_clock::time_point noon{std::chrono::seconds{1785420309}};
}

TEST(RunFolder, IsNamedBySuiteAndTimeAndNeverShared) {
  const TemporaryFolder root;
  const auto results = root.path() / "results";
  EXPECT_EQ(new_run_folder(results, "notebook-3.13", noon), results / "notebook-3.13-20260730T140509Z");
  EXPECT_EQ(new_run_folder(results, "notebook-3.13", noon), results / "notebook-3.13-20260730T140509Z-2");
  EXPECT_EQ(new_run_folder(results, "notebook-3.13", noon), results / "notebook-3.13-20260730T140509Z-3");
  EXPECT_EQ(new_run_folder(results, "../a b", noon), results / "..-a-b-20260730T140509Z");
  EXPECT_TRUE(fs::is_directory(results / "notebook-3.13-20260730T140509Z-3"));
}

TEST(RunFolder, WhereNoneCanBeMadeIsAnError) {
  const TemporaryFolder root;
  std::ofstream(root.path() / "file") << "x";
  EXPECT_THROW(new_run_folder(root.path() / "file", "a", noon), Error);
}

TEST(Latest, PointsToTheLastRunAndMoves) {
  const TemporaryFolder root;
  const auto first = new_run_folder(root.path(), "a", noon), second = new_run_folder(root.path(), "a", noon);
  point_latest(root.path(), first);
  EXPECT_EQ(fs::read_symlink(root.path() / "latest"), first.filename());
  point_latest(root.path(), second);
  EXPECT_EQ(fs::read_symlink(root.path() / "latest"), second.filename());
  EXPECT_EQ(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()), 3);
}

TEST(Latest, PointsToAFolderElsewhereByItsWholePath) {
  const TemporaryFolder root, elsewhere;
  point_latest(root.path(), elsewhere.path());
  EXPECT_EQ(fs::read_symlink(root.path() / "latest"), elsewhere.path());
}

TEST(Latest, LeavesAFolderOfThatNameAlone) {
  const TemporaryFolder root;
  fs::create_directory(root.path() / "latest");
  const auto run = new_run_folder(root.path(), "a", noon);
  EXPECT_THROW(point_latest(root.path(), run), Error);
  EXPECT_TRUE(fs::is_directory(fs::symlink_status(root.path() / "latest")));
}
