#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "suite/support.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class SuiteFile : public testing::Test {
 protected:
  SuiteFile() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("shardbench_suite_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SuiteFile() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static std::string message_of(const fs::path& file) {
    try {
      load_suite(file, test_catalogue());
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  fs::path folder_;
};

TEST_F(SuiteFile, GivesTheSuite) {
  const auto file = write("a-suite.toml", training());
  const Suite suite = load_suite(file, test_catalogue());
  EXPECT_EQ(suite.name, "a-suite");
  EXPECT_EQ(suite.file, file.string());
  EXPECT_EQ(suite.reference_file, "");
  EXPECT_EQ(suite.cases.size(), 1U);
  EXPECT_EQ(suite.cases.front().suite, "a-suite");
  EXPECT_EQ(suite.cases.front().place.text(), file.string() + ":5:1");
}

TEST_F(SuiteFile, NameInItWins) {
  const auto file = write("a suite.toml", "name = \"b.2\"\n" + training());
  EXPECT_EQ(load_suite(file, test_catalogue()).name, "b.2");
}

TEST_F(SuiteFile, WhoseNameCannotBeTheSuites) {
  const auto file = write("a suite.toml", training());
  EXPECT_EQ(message_of(file),
            "the file's name \"a suite\" cannot be the suite's: it has other characters than letters, digits, '-', '_' "
            "and '.'\n  where: " +
                file.string() + "\n  what to do: set name = \"...\"");
}

TEST_F(SuiteFile, ThatIsNotThere) {
  EXPECT_EQ(message_of("no/such.toml"),
            "the suite file \"no/such.toml\" does not exist\n  where: no/such.toml\n  what to do: check the path");
}

TEST_F(SuiteFile, ThatIsAFolder) {
  EXPECT_EQ(message_of("/tmp"),
            "\"/tmp\" is a folder, but a suite file is needed\n  where: /tmp\n  what to do: name a file in it");
}

TEST_F(SuiteFile, PluginPathIsRelativeToTheSuite) {
  fs::create_directories(folder_ / "plugins");
  const auto file = write("s.toml", training({.more = "[plugins]\npath = [\"plugins\", \"../\", \"/tmp\"]\n"}));
  const std::vector<std::string> expected{(folder_ / "plugins").string(), (folder_ / "..").lexically_normal().string(),
                                          "/tmp"};
  EXPECT_EQ(load_suite(file, test_catalogue()).plugin_path, expected);
  EXPECT_EQ(read_plugin_path(file), expected);
}

TEST_F(SuiteFile, PluginPathIsReadFromASuiteThatIsWrongElsewhere) {
  const auto file = write("s.toml", "[plugins]\npath = [\".\"]\n[[training]]\nstrategy = 3\n");
  EXPECT_EQ(read_plugin_path(file).size(), 1U);
  EXPECT_TRUE(read_plugin_path(write("t.toml", training())).empty());
}

TEST_F(SuiteFile, PluginPathOfAFileThatCannotBeParsedIsAnError) {
  EXPECT_THROW(read_plugin_path(write("s.toml", "[plugins\n")), SuiteErrors);
  EXPECT_THROW(read_plugin_path(folder_ / "none.toml"), Error);
}

TEST_F(SuiteFile, ReferenceIsRelativeToTheSuite) {
  fs::create_directories(folder_ / "reference");
  write("reference/r.toml",
        "schema = 1\nsource = \"a run\"\n[[expect]]\ncase = \"training/ddp/gloo/m/world=2/unit=root/adamw\"\n"
        "total_bytes = 7\n");
  const auto file = write("s.toml", "reference = \"reference/r.toml\"\n" + training());
  const Suite suite = load_suite(file, test_catalogue());
  EXPECT_EQ(suite.reference_file, (folder_ / "reference/r.toml").string());
  ASSERT_EQ(suite.expectations.size(), 1U);
  EXPECT_EQ(suite.expectations[0].place.text(), (folder_ / "reference/r.toml").string() + ":5:15");
}

TEST_F(SuiteFile, ProblemsOfTheReferenceComeAfterTheSuites) {
  write("a.toml", "schema = 1\nsource = \"a run\"\n[[expect]]\ncase = \"not looked at\"\ntotal_bytes = -1\n");
  const auto file = write("s.toml", "reference = \"a.toml\"\n" + training({.world = "0"}));
  try {
    load_suite(file, test_catalogue());
    FAIL() << "the suite was taken";
  } catch (const SuiteErrors& errors) {
    ASSERT_EQ(errors.problems().size(), 2U) << errors.what();
    EXPECT_EQ(errors.problems()[0].where(), file.string() + ":8:9");
    EXPECT_EQ(errors.problems()[1].where(), (folder_ / "a.toml").string() + ":5:15");
  }
}

}  // namespace
}  // namespace shardbench
