#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using testing::contents;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

/// The committed run, and what becomes of it.
class CompareCommand : public ::testing::Test {
 protected:
  fs::path in_folder(const std::string& name) const { return folder_.path() / name; }

  std::string example() const { return contents(fs::path(SHARDBENCH_SUITES) / "../results/example/results.json"); }

  /// A results folder with the committed run, changed.
  std::string results(const std::string& name, const std::function<void(ordered_json&)>& change = {}) {
    ordered_json json = ordered_json::parse(example());
    if (change) change(json);
    return text(name, json.dump());
  }
  std::string text(const std::string& name, const std::string& results_json) {
    fs::create_directory(in_folder(name));
    testing::write_file(in_folder(name) / "results.json", results_json);
    return name;
  }

  Ended run(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {}) {
    return testing::run_program(arguments, folder_.path(), environment);
  }

  testing::TemporaryFolder folder_;
};

void one_byte_more(ordered_json& json) {
  json["cases"][3]["launches"][0]["ranks"][1]["quantities"]["weights_bytes"] =
      json["cases"][3]["launches"][0]["ranks"][1]["quantities"]["weights_bytes"].get<std::uint64_t>() + 1;
}

void another_cpu(ordered_json& json) { json["run"]["environment"]["cpu"] = "another"; }

void three_times_as_slow(ordered_json& json) {
  auto& samples = json["cases"][3]["launches"][0]["samples"];
  for (auto& seconds : samples["seconds"]) seconds = 3 * seconds.get<double>();
  for (auto& rank : samples["ranks"])
    for (auto& seconds : rank["step"]) seconds = 3 * seconds.get<double>();
}

TEST_F(CompareCommand, ABuildByItsCommitWantsOneCommit) {
  const auto other_commit = [](ordered_json& json) { json["run"]["environment"]["commit"] = "0123456789ab"; };
  const Ended ended =
      run({"compare", "--base", results("a"), results("b", other_commit), "--new", results("c", three_times_as_slow),
           results("d", three_times_as_slow), "--launches", "2", "--confirm", "--base-build", "builds/{commit}"});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("--base-build has one {commit}, but the base has results of 2: "),
                               HasSubstr("0123456789ab")));
}

TEST_F(CompareCommand, TheSameIsNoRegressionAndOneLaunchIsAmbiguous) {
  const Ended ended = run({"compare", results("a"), results("b")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("24 cases in both"), HasSubstr("0 regressions"),
                    HasSubstr("ambiguous: 1 and 1 launches, but 5 on each side are needed"), Not(HasSubstr("\033"))));
}

TEST_F(CompareCommand, OneByteMoreIsARegression) {
  const Ended ended = run({"compare", results("a"), results("b", one_byte_more), "-o", "verdicts.json"});
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("  larger training/"), HasSubstr("(+1, rank 1; law "),
                               HasSubstr("1 regressions"), Not(HasSubstr("::error"))));
  const auto verdicts = ordered_json::parse(contents(in_folder("verdicts.json")));
  EXPECT_EQ(verdicts["schema_version"], 1);
  EXPECT_EQ(verdicts["regressions"], 1);
  EXPECT_EQ(verdicts["cases"][3]["metrics"][0]["verdict"], "larger");
  EXPECT_EQ(verdicts["cases"][3]["metrics"][0]["rank"], 1);
  // The other way round it is an improvement, which never fails.
  EXPECT_EQ(run({"compare", "b", "a"}).status, 0);
}

TEST_F(CompareCommand, GitHubIsToldWhereItAsksAlone) {
  const Ended ended = run({"compare", results("a"), results("b", one_byte_more)}, {{"GITHUB_ACTIONS", "true"}});
  EXPECT_THAT(ended.out, HasSubstr("\n::error title=larger%3A training/"));
  EXPECT_THAT(ended.out, HasSubstr("::weights_bytes 2,105,344 -> 2,105,345 (+1, rank 1"));
}

TEST_F(CompareCommand, WrongNumbersOutrankARegression) {
  const Ended ended = run({"compare", results("a"), results("b", [](ordered_json& json) {
                             one_byte_more(json);
                             json["cases"][3]["status"] = "failed";
                           })});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("1 regressions"));
}

TEST_F(CompareCommand, AnotherMachineComparesNothingUnlessItMay) {
  const Ended ended = run({"compare", results("a"), results("b", another_cpu)});
  EXPECT_EQ(ended.status, 5);
  EXPECT_THAT(ended.out, HasSubstr("not comparable: cpu is "));
  EXPECT_THAT(ended.err, HasSubstr("nothing was compared: no case is comparable"));
  const Ended allowed = run({"compare", "a", "b", "--allow", "cpu", "-o", "v.json"});
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  const auto verdicts = ordered_json::parse(contents(in_folder("v.json")));
  EXPECT_EQ(verdicts["allowed"], ordered_json({"cpu"}));
  EXPECT_EQ(verdicts["cases"][0]["allowed_differences"][0]["new"], "another");
}

TEST_F(CompareCommand, SeveralResultsOfASide) {
  for (const char* name : {"a", "b", "c", "d"}) results(name);
  const Ended ended = run({"compare", "--base", "a", "b", "--new", "c", "d", "--launches", "2"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("(x 1.00, p "));
  EXPECT_THAT(ended.out, HasSubstr("2 and 2 launches"));
}

TEST_F(CompareCommand, BadInputGivesOneError) {
  results("a");
  const auto refuses = [&](const std::string& other, const char* message) {
    const Ended ended = run({"compare", "a", other});
    EXPECT_EQ(ended.status, 2) << other;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(message), HasSubstr(other), HasSubstr("what to do: "))) << other;
    EXPECT_EQ(ended.out, "") << other;
  };
  refuses("missing", "there is no file to read");
  refuses(text("cut", example().substr(0, 5000)), "the results are damaged: ");
  refuses(text("other", "{}"), "the results are damaged: ");
  refuses(results("newer", [](ordered_json& json) { json["schema_version"] = 2; }),
          "schema_version is 2, but this Shardbench reads 1 and below");
  EXPECT_EQ(run({"compare", "a"}).status, 2);
  EXPECT_THAT(run({"compare", "a"}).err, HasSubstr("needs two results, BASE and NEW"));
}

TEST_F(CompareCommand, ARunWithSomethingInjectedIsMarkedAndIsNoBaseline) {
  results("real");
  results("planted", [](ordered_json& json) { json["run"]["injected"] = "slowdown=0.25"; });
  const Ended refused = run({"compare", "planted", "real"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("slowdown=0.25 was injected into this run, so it is no baseline"),
                                 HasSubstr("planted/results.json")));
  EXPECT_THAT(run({"compare", "real", "planted", "-o", "c.json"}).out, HasSubstr(") [INJECTED slowdown=0.25]\n"));
  EXPECT_THAT(contents(in_folder("c.json")), HasSubstr("\"injected\": \"slowdown=0.25\""));
}

TEST_F(CompareCommand, NoCommonCaseIsAnError) {
  const Ended ended = run({"compare", results("a"), results("b", [](ordered_json& json) {
                             for (auto& c : json["cases"]) c["case"] = "other/" + c["case"].get<std::string>();
                           })});
  EXPECT_EQ(ended.status, 5);
  EXPECT_THAT(ended.err, HasSubstr("nothing was compared: the results have no case in common"));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("new case: other/training/"), HasSubstr("case gone: training/")));
}

TEST_F(CompareCommand, AHistoryListsExportsAndNamesWhatIsDamaged) {
  results("a");
  results("b", one_byte_more);
  const Ended added = run({"history", "nights", "--add", "a", "b"});
  EXPECT_EQ(added.status, 0) << added.err;
  EXPECT_THAT(added.out, AllOf(HasSubstr("2 runs\n"), HasSubstr("green"), HasSubstr("2a839d9a8316")));
  testing::write_file(in_folder("nights/20260101T000000Z-x-00000000.json"), "{\"half");
  const Ended listed = run({"history", "nights", "--case", "zero3", "--metric", "weights_bytes"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out,
              HasSubstr("skipped nights/20260101T000000Z-x-00000000.json: this file of the history is damaged"));
  const Ended csv = run({"history", "nights", "--csv", "--metric", "sent_bytes"});
  EXPECT_THAT(csv.out, ::testing::StartsWith(
                           "started,suite,commit,fingerprint,green,case,status,metric,launch,value,injected\n"));
  EXPECT_THAT(csv.out, HasSubstr(",sent_bytes,,"));
  EXPECT_EQ(run({"history", "nights", "--since", "2100-01-01"}).status, 5);
  EXPECT_EQ(run({"history", "nights", "--since", "soon"}).status, 2);
  EXPECT_EQ(run({"history", "missing"}).status, 2);
}

}  // namespace
}  // namespace shardbench
