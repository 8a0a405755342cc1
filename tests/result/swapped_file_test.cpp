#include "result/swapped_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
namespace fs = std::filesystem;

TEST(SwappedFile, HoldsTheLastTextWhetherItGrowsOrShrinks) {
  const TemporaryFolder root;
  SwappedFile file(root.path() / "a");
  std::string stable;
  for (int i = 0; i < 20; ++i) {
    stable += "line " + std::to_string(i) + '\n';
    const std::string tail(static_cast<std::size_t>(i % 3 == 0 ? 1000 : i), 'z');
    file.put(stable, tail);
    ASSERT_EQ(contents(root.path() / "a"), stable + tail) << i;
  }
  file.put(stable);
  EXPECT_EQ(contents(root.path() / "a"), stable);
}

TEST(SwappedFile, AReaderOfTheFileBeforeHasItWhole) {
  const TemporaryFolder root;
  SwappedFile file(root.path() / "a");
  file.put("one", " end");
  std::ifstream before(root.path() / "a");
  file.put("one two", " end");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(before), {}), "one end");
}

TEST(SwappedFile, TakesTheSpareWithIt) {
  const TemporaryFolder root;
  {
    SwappedFile file(root.path() / "a");
    file.put("1");
    file.put("12");
    SwappedFile moved(std::move(file));
    moved.put("123");
  }
  EXPECT_EQ(contents(root.path() / "a"), "123");
  EXPECT_EQ(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()), 1);
}

TEST(SwappedFile, KeepsTheOldFileWhenTheNewCannotBeWritten) {
  const TemporaryFolder root;
  const fs::path folder = root.path() / "folder";
  fs::create_directory(folder);
  SwappedFile file(folder / "a");
  file.put("old");
  fs::create_directory(folder / (".a." + std::to_string(::getpid())));  // in the way of the spare
  EXPECT_THROW(file.put("old new"), Error);
  EXPECT_EQ(contents(folder / "a"), "old");
  fs::remove(folder / (".a." + std::to_string(::getpid())));
  file.put("old new");
  EXPECT_EQ(contents(folder / "a"), "old new");
}

TEST(SwappedFile, WithoutAFolderIsAnError) {
  const TemporaryFolder root;
  SwappedFile file(root.path() / "missing" / "a");
  EXPECT_THROW(file.put("x"), Error);
}
