#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;

class Simulate : public ::testing::Test {
 protected:
  Ended run(const std::vector<std::string>& words) { return testing::run_program(words, folder_.path()); }
  std::string read(const std::string& name) {
    std::ifstream in(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  testing::TemporaryFolder folder_;
};

TEST_F(Simulate, AScheduleWithPictureAndTrace) {
  const Ended ended = run({"simulate", "--schedule", "zbv", "--ranks", "4", "--microbatches", "8", "--svg", "zbv.svg",
                           "--trace", "zbv.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("zbv: 4 ranks, 8 stages, 8 microbatches\n  rank 0  F0F1F2F3F4F5F6f0i0w0"),
                               HasSubstr("a stage takes F 1, B 1, W 1: makespan 51"), HasSubstr("5.9 % of it idle")));
  EXPECT_THAT(read("zbv.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(read("zbv.json"), HasSubstr("\"traceEvents\""));
}

TEST_F(Simulate, AnExportedPlanIsTheScheduleAgain) {
  const std::vector<std::string> shape{"--ranks", "3", "--microbatches", "6", "--chunks", "2"};
  std::vector<std::string> words{"schedule", "export", "interleaved_zb", "-o", "plan.csv", "--communication"};
  words.insert(words.end(), shape.begin(), shape.end());
  EXPECT_EQ(run(words).status, 0);
  EXPECT_THAT(read("plan.csv"), HasSubstr("0F0,0SEND_F0,"));
  const Ended file = run({"simulate", "--file", "plan.csv", "--cost", "F=1,B=1.3,W=0.7", "--latency", "0.5"});
  EXPECT_EQ(file.status, 0) << file.err;
  words = {"simulate", "--schedule", "csv", "--ranks", "3", "--microbatches", "6", "--option", "file=plan.csv"};
  EXPECT_EQ(run(words).status, 0);
  words = {"simulate", "--schedule", "interleaved_zb", "--cost", "F=1,B=1.3,W=0.7", "--latency", "0.5"};
  words.insert(words.end(), shape.begin(), shape.end());
  const Ended named = run(words);
  EXPECT_EQ(file.out.substr(file.out.find('\n')), named.out.substr(named.out.find('\n')));
}

TEST_F(Simulate, ComparesAllSchedules) {
  const Ended ended = run({"simulate", "--compare", "all", "--ranks", "4", "--microbatches", "7", "--bytes", "1MB"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("v_min"), HasSubstr("gpipe"), HasSubstr("zb_h2"), HasSubstr("interleaved_1f1b"),
                    HasSubstr("cannot do that size:\n  dualpipev: dualpipev fills 8 stages at once")));
}

TEST_F(Simulate, ALawThatIsNotThePlansIsAFailedCheck) {
  const std::vector<std::string> size{"--ranks",  "3",          "--microbatches", "4",
                                      "--plugin", PLANTED_1F1B, "--option",       "bug=law_same"};
  std::vector<std::string> words{"simulate", "--schedule", "planted_1f1b"};
  words.insert(words.end(), size.begin(), size.end());
  const Ended one = run(words);
  EXPECT_EQ(one.status, 1);
  EXPECT_THAT(one.out, HasSubstr("1 (law 3)"));
  EXPECT_THAT(one.err, HasSubstr("planted_1f1b: simulation_equals_law failed: rank 1: the simulation has 2 "
                                 "microbatches in flight until I (or B), but the law says 3"));
  words = {"simulate", "--compare", "planted_1f1b"};
  words.insert(words.end(), size.begin(), size.end());
  const Ended among = run(words);
  EXPECT_EQ(among.status, 1);
  EXPECT_THAT(among.out, HasSubstr("wrong\n"));
  EXPECT_THAT(among.err, HasSubstr("planted_1f1b: simulation_equals_law failed"));
  words.back() = "bug=none";
  EXPECT_EQ(run(words).status, 0);
}

TEST_F(Simulate, RefusesAPlanThatDeadlocksWithItsPlace) {
  testing::write_file(folder_.path() / "stuck.csv",
                      "0F0,0SEND_F0,0RECV_B1,0F1,0SEND_F1,0RECV_B0,0B0,0B1\n"
                      "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n");
  const auto as_schedule = [](const std::string& file) {
    return std::vector<std::string>{"simulate",       "--schedule", "csv",      "--ranks",     "2",
                                    "--microbatches", "2",          "--option", "file=" + file};
  };
  for (const auto& words : {std::vector<std::string>{"simulate", "--file", "stuck.csv"}, as_schedule("stuck.csv")}) {
    const Ended ended = run(words);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("it needs 1SEND_B1 of rank 1, which is behind 1RECV_F1, which needs "
                                           "0SEND_F1 of rank 0, which is behind 0RECV_B1"),
                                 HasSubstr("stuck.csv:1:14")));
  }
  testing::write_file(folder_.path() / "bom.csv",
                      "\xEF\xBB\xBF"
                      "0F0,0F1,0B0,0B1\r\n1F0,1B0,1F1,1B1\r\n\r\n");
  EXPECT_EQ(run({"simulate", "--file", "bom.csv"}).status, 0);
  EXPECT_EQ(run(as_schedule("bom.csv")).status, 0);
}

TEST_F(Simulate, SaysWhatIsWrong) {
  struct Wrong {
    std::vector<std::string> words;
    std::string problem;
  };
  const std::vector<std::string> shape{"--ranks", "4", "--microbatches", "7"};
  testing::write_file(folder_.path() / "bad.csv", "0F0,0B0,0W0\n");
  for (const auto& [words, problem] : std::vector<Wrong>{
           {{"simulate", "--schedule", "zbx"}, "there is no schedule 'zbx'"},
           {{"simulate", "--schedule", "1f1b", "--chunks", "2"}, "schedule '1f1b' has no option 'chunks'"},
           {{"simulate", "--schedule", "zbv", "--chunks", "3"}, "option 'chunks' of schedule 'zbv' is '3'"},
           {{"simulate", "--schedule", "dualpipev"}, "dualpipev fills 8 stages at once, but there are 7 microbatches"},
           {{"simulate", "--schedule", "1f1b", "--cost", "F=x"},
            "'F=x' has a cost that is no number of 0 or more: 'x'"},
           {{"simulate", "--schedule", "1f1b", "--cost", "F=1/2"}, "there are 2 costs for 4 stages"},
           {{"simulate", "--schedule", "1f1b", "--bytes", "much"}, "'much' is no number of bytes"},
           {{"simulate", "--schedule", "1f1b", "--svg", "no/such/folder.svg"}, "No such file or directory"},
           {{"schedule", "export", "1f1b", "-o", "no/such/plan.csv"}, "No such file or directory"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), shape.begin(), shape.end());
    const Ended ended = run(all);
    EXPECT_EQ(ended.status, 2) << ended.out;
    EXPECT_THAT(ended.err, HasSubstr(problem));
  }
  EXPECT_THAT(run({"simulate", "--file", "bad.csv"}).err,
              HasSubstr("rank 0: B (or W) of stage 0, microbatch 0 is done 2 times, not once"));
  EXPECT_THAT(run({"simulate", "--file", "none.csv"}).err, HasSubstr("the plan file \"none.csv\" does not exist"));
  EXPECT_EQ(run({"simulate"}).status, 2);
  EXPECT_EQ(run({"simulate", "--schedule", "1f1b"}).status, 2);
  EXPECT_EQ(run({"schedule"}).status, 2);
}

/// A suite in a folder of its own, with a plan beside it.
std::string suite_with(const std::string& schedule, const std::string& options, int layers) {
  return "schema = 1\n[model.m]\nlayers = " + std::to_string(layers) + "\nwidth = 8\n[[pipeline]]\nschedule = \"" +
         schedule + "\"\nworld = 2\nhorizon = 4\nmodel = \"m\"\noptions = { " + options + " }\n";
}

TEST_F(Simulate, SuitesGiveChunksAndFilesToSchedules) {
  const std::filesystem::path folder = folder_.path() / "mine";
  std::filesystem::create_directories(folder / "plans");
  EXPECT_EQ(run({"schedule", "export", "zbv", "--ranks", "2", "--microbatches", "4", "-o", "mine/plans/v.csv"}).status,
            0);
  const auto predicted = [&](const std::string& text) {
    return run({"predict", testing::write_file(folder / "a.toml", text).string()});
  };
  EXPECT_THAT(predicted(suite_with("interleaved_1f1b", "chunks = [2, 3]", 6)).out,
              AllOf(HasSubstr("chunks=2      5 / 3"), HasSubstr("chunks=3      7 / 5")));
  EXPECT_THAT(predicted(suite_with("csv", "file = \"plans/v.csv\"", 4)).out, HasSubstr("4 / 4"));
  EXPECT_THAT(predicted(suite_with("csv", "file = \"v.csv\"", 4)).err, HasSubstr("mine/v.csv\" does not exist"));
  EXPECT_THAT(predicted(suite_with("interleaved_1f1b", "chunks = 3", 5)).err,
              HasSubstr("there are 6 stages, but the model has 5 layers"));
  EXPECT_THAT(predicted(suite_with("zbv", "chunks = 3", 6)).err, HasSubstr("zbv allows 2"));
}

}  // namespace
}  // namespace shardbench
