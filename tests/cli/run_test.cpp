#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "cli/suites.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::contents;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Row;
namespace fs = std::filesystem;

constexpr auto ddp_id = "one/training/ddp/gloo/tiny/world=2/unit=root/adamw";
constexpr auto pipeline_id = "pipeline/gpipe/gloo/tiny/world=2/horizon=2";

class RunCommand : public ::testing::Test {
 protected:
  fs::path in_folder(const std::string& name) const { return folder_.path() / name; }
  std::string suite(const std::string& text) { return testing::write_file(in_folder("tiny.toml"), text); }
  testing::TemporaryFolder folder_;
};

const std::string two_cases =
    testing::tiny_suite + testing::ddp_case("one") + "\n[[pipeline]]\nschedule = \"gpipe\"\nhorizon = 2\n";

TEST_F(RunCommand, WritesResultsAndSaysWhere) {
  testing::Program program({"run", suite(two_cases), "--benchmark_repetitions=2", "--benchmark_out=bench.json"},
                           folder_.path());
  const Ended ended = program.wait();
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(program.processes().empty());

  const fs::path latest = in_folder("results/latest");
  ASSERT_TRUE(fs::is_symlink(latest));
  EXPECT_THAT(fs::read_symlink(latest).string(), HasSubstr("tiny-"));
  EXPECT_THAT(ended.out, HasSubstr("results: results/tiny-"));
  for (const char* file : {"results.csv", "ranks.csv", "results.json", "junit.xml"})
    EXPECT_TRUE(fs::is_regular_file(latest / file)) << file;
  EXPECT_EQ(testing::read_csv(latest / "ranks.csv").size(), 4u);

  const auto rows = testing::read_csv(latest / "results.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("case"), ddp_id);
  EXPECT_EQ(rows[1].at("case"), pipeline_id);
  for (const Row& row : rows) {
    EXPECT_EQ(row.at("status"), "ok");
    EXPECT_EQ(row.at("detail"), "");
    EXPECT_EQ(row.at("launches"), "2");  // a repetition is a launch
    EXPECT_EQ(row.at("samples"), "2");
    EXPECT_EQ(row.at("invariants_failed"), "0");
  }
  EXPECT_EQ(rows[0].at("weights_bytes"), "88");  // 22 parameters
  EXPECT_EQ(rows[0].at("optimizer_bytes"), "192");

  const auto bench = nlohmann::json::parse(contents(in_folder("bench.json")));
  std::set<std::string> names;
  for (const auto& entry : bench.at("benchmarks")) names.insert(entry.at("run_name").get<std::string>());
  EXPECT_EQ(names.size(), 2u);
  EXPECT_TRUE(names.begin()->starts_with(ddp_id)) << *names.begin();

  // No terminal: one line per case and no escape codes.
  EXPECT_THAT(ended.err, AllOf(HasSubstr("case 1 of 2: ok " + std::string(ddp_id)),
                               HasSubstr("case 2 of 2: ok " + std::string(pipeline_id)), Not(HasSubstr("\033"))));
  EXPECT_THAT(ended.out, Not(HasSubstr("\033")));
}

TEST_F(RunCommand, AReferenceNumberThatIsOffByOneIsNamed) {
  testing::write_file(in_folder("reference.toml"),
                      std::string("schema = 1\nsource = \"by hand\"\n[[expect]]\ncase = \"") + ddp_id +
                          "\"\nweights_bytes = 89\ngradients_bytes = 88\n");
  const Ended ended = testing::run_program(
      {"run", suite("reference = \"reference.toml\"\n" + two_cases), "--out", "out"}, folder_.path());
  EXPECT_EQ(ended.status, 1);
  EXPECT_FALSE(fs::exists(in_folder("results")));
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr(ddp_id), HasSubstr("weights_bytes of rank 0 is 88, but 89 is expected"),
                    HasSubstr("reference.toml:5:1"), HasSubstr("by hand"), Not(HasSubstr("gradients_bytes"))));
  const auto rows = testing::read_csv(in_folder("out/results.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("status"), "failed");
  EXPECT_THAT(rows[0].at("detail"), AllOf(HasSubstr("reference_file"), HasSubstr("89")));
  EXPECT_EQ(rows[1].at("status"), "ok");
}

}  // namespace
}  // namespace shardbench
