#include "result/writer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "check/good_case.hpp"
#include "result/csv.hpp"
#include "result/temporary_folder.hpp"
#include "shardbench/error.hpp"

using namespace shardbench;
using namespace shardbench::testing;
namespace fs = std::filesystem;

namespace {

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

RunInfo run_info() {
  RunInfo run;
  run.suite = "notebook";
  run.command_line = {"shardbench", "run", "suites/notebook.toml"};
  return run;
}

}  // namespace

TEST(ResultWriter, FilesAreCompleteAfterEveryCase) {
  const TemporaryFolder root;
  const fs::path folder = root.path() / "made" / "here";
  ResultWriter writer(folder, run_info());
  const auto cases_in_json = [&] {
    return nlohmann::json::parse(contents(folder / "results.json")).at("cases").size();
  };
  EXPECT_EQ(contents(folder / "results.csv"), results_csv_header());
  EXPECT_EQ(cases_in_json(), 0u);
  writer.add(good_training());
  EXPECT_EQ(cases_in_json(), 1u);
  writer.add(good_pipeline());
  EXPECT_EQ(lines(contents(folder / "results.csv")), 3u);
  EXPECT_EQ(lines(contents(folder / "ranks.csv")), 5u);
  EXPECT_EQ(cases_in_json(), 2u);
  EXPECT_NE(contents(folder / "junit.xml").find("tests=\"2\" failures=\"0\""), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(contents(folder / "results.json"))["finished"].is_null());
  EXPECT_FALSE(nlohmann::json::parse(contents(folder / "results.json")).contains("load"));
  const MachineLoad load = writer.finish();
  EXPECT_EQ(nlohmann::json::parse(contents(folder / "results.json"))["load"]["seconds"], load.seconds);
  EXPECT_TRUE(nlohmann::json::parse(contents(folder / "results.json"))["finished"].is_string());
}

TEST(ResultWriter, LeavesFourFiles) {
  const TemporaryFolder root;
  {
    ResultWriter writer(root.path(), run_info());
    writer.add(good_training());
    writer.finish();
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(root.path()), fs::directory_iterator()), 4);
}

TEST(ResultWriter, ReplacesTheFilesOfAnotherRunInItsFolder) {
  const TemporaryFolder root;
  for (const char* name : {"results.csv", "ranks.csv", "results.json", "junit.xml"})
    std::ofstream(root.path() / name) << std::string(100000, 'x');
  ResultWriter writer(root.path(), run_info());
  for (int i = 0; i < 3; ++i) writer.add(good_training());
  EXPECT_EQ(lines(contents(root.path() / "results.csv")), 4u);
  EXPECT_EQ(nlohmann::json::parse(contents(root.path() / "results.json")).at("cases").size(), 3u);
  EXPECT_EQ(contents(root.path() / "ranks.csv").find('x', ranks_csv_header().size()), std::string::npos);
}

TEST(ResultWriter, AReaderKeepsTheFileItOpened) {
  const TemporaryFolder root;
  ResultWriter writer(root.path(), run_info());
  std::ifstream old(root.path() / "results.csv");
  writer.add(good_training());
  const std::string text{std::istreambuf_iterator<char>(old), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, results_csv_header());
}

TEST(ResultWriter, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_THROW(ResultWriter("/proc/no/such/folder", run_info()), Error);
}
