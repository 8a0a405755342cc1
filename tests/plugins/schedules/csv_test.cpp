#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "law/plan_text.hpp"
#include "plugins/schedules/schedule.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;
using testing::Schedule;

/// A folder with a plan in it, removed at the end.
class Csv : public ::testing::Test {
 protected:
  Csv() { fs::create_directories(folder_); }
  ~Csv() override { fs::remove_all(folder_); }

  ScheduleInput with(const std::string& text, int ranks, int microbatches) const {
    std::ofstream(folder_ / "plan.csv") << text;
    return {ranks, 0, microbatches, {{"file", "plan.csv"}}, folder_.string()};
  }
  std::string problem(const std::string& text, int ranks, int microbatches) const {
    return csv_.refusal(with(text, ranks, microbatches)).first;
  }

  fs::path folder_ = fs::temp_directory_path() / ("shardbench-csv-" + std::to_string(::getpid()));
  Schedule csv_{"csv"};
};

TEST_F(Csv, RunsThePlanOfAFileWithStagesWhereItHasThem) {
  const ScheduleInput in = with("0F0,3F0,3B0,0B0\n1F0,2F0,2I0,1I0,1W0,2W0\n", 2, 1);
  const Plan plan = csv_.plan(in);
  EXPECT_EQ(plan.placement, (std::vector{0, 1, 1, 0}));
  EXPECT_NO_THROW(validate(plan, in));
  EXPECT_EQ(csv_.law(in).until_weight, (std::vector{2, 2}));
  EXPECT_EQ(csv_.law(in).until_input, (std::vector{2, 2}));
}

TEST_F(Csv, LeavesTheCommunicationOfAFileToTheCore) {
  const Plan v = Schedule("zbv").plan(3, 5, 2);
  const ScheduleInput in = with(plan_text(lower(v)), 3, 5);
  EXPECT_EQ(plan_text(csv_.plan(in)), plan_text(v));
}

TEST_F(Csv, TakesAnAbsolutePath) {
  ScheduleInput in = with("0F0,0B0\n", 1, 1);
  in.options["file"] = (folder_ / "plan.csv").string();
  in.folder = "/nowhere";
  EXPECT_EQ(plan_text(csv_.plan(in)), "0F0,0B0\n");
}

TEST_F(Csv, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(csv_.refusal({1, 0, 1, {}}).first, "csv runs the plan of a file, but none is named");
  EXPECT_EQ(csv_.refusal({1, 0, 1, {{"file", "/nowhere.csv"}}}).first, "the plan file \"/nowhere.csv\" does not exist");
  EXPECT_EQ(problem("0F0,0B0\n", 2, 1), "the plan has 1 ranks, but 2 are asked for");
  EXPECT_EQ(problem("0F0,0B0\n", 1, 3), "the plan has 1 microbatches, but 3 are asked for");
  EXPECT_EQ(problem("0F0,0Q0\n", 1, 1), "\"0Q0\" is not an action");
  EXPECT_EQ(problem("0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n", 2, 1), "rank 0: 0SEND_F0 is missing");
}

}  // namespace
}  // namespace shardbench
