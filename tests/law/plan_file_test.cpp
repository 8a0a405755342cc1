#include "law/plan_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <random>
#include <string>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

constexpr auto whole_plan =
    "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
    "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n";

TEST(ReadPlan, LeavesCommunicationToTheCore) {
  EXPECT_EQ(plan_text(read_plan(whole_plan, "a.csv")), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
}

struct Wrong {
  std::string text, problem, where;
};

void expect_refused(const Wrong& wrong) {
  try {
    read_plan(wrong.text, "a.csv");
    ADD_FAILURE() << wrong.text;
  } catch (const Error& e) {
    EXPECT_EQ(e.problem(), wrong.problem);
    EXPECT_EQ(e.where(), wrong.where);
    EXPECT_EQ(e.cure(), "correct the plan");
  }
}

TEST(ReadPlan, NamesTheCircleOfADeadlock) {
  // Rank 0 waits for the gradient of microbatch 1 before it sends that microbatch.
  expect_refused(
      {"0F0,0SEND_F0,0RECV_B1,0F1,0SEND_F1,0RECV_B0,0B0,0B1\n"
       "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n",
       "rank 0: 0RECV_B1 can never run: it needs 1SEND_B1 of rank 1, which is behind 1RECV_F1, which needs "
       "0SEND_F1 of rank 0, which is behind 0RECV_B1",
       "a.csv:1:14"});
}

TEST(ReadPlan, ChecksCommunicationWhereThereIsAny) {
  const std::string first = "0F0,0SEND_F0,0RECV_B0,0B0\n", last = "1RECV_F0,1F0,1B0,1SEND_B0\n";
  for (const Wrong& wrong : {
           Wrong{first + "1F0,1B0\n", "rank 1: 1RECV_F0 is missing", "a.csv:2:1"},
           {first + "1RECV_F0,1F0,1B0\n", "rank 1: 1SEND_B0 is missing", "a.csv:2:14"},
           {"0F0,0RECV_B0,0B0\n" + last, "rank 0: 0SEND_F0 is missing", "a.csv:1:1"},
           {first + "1RECV_F0,1RECV_F0,1F0,1B0,1SEND_B0\n", "rank 1: 1RECV_F0 is there twice", "a.csv:2:10"},
           {"0F0,0SEND_F0,0SEND_F0,0RECV_B0,0B0\n" + last, "rank 0: 0SEND_F0 is there twice", "a.csv:1:14"},
           {first + "1RECV_F0,1F0,1SEND_F0,1B0,1SEND_B0\n", "rank 1: 1SEND_F0 is between stages of one rank, or none",
            "a.csv:2:14"},
           {"0RECV_F0,0F0,0SEND_F0,0RECV_B0,0B0\n" + last, "rank 0: 0RECV_F0 is between stages of one rank, or none",
            "a.csv:1:1"},
           {"0SEND_F0,0F0,0RECV_B0,0B0\n" + last, "rank 0: 0SEND_F0 can never run: it needs 0F0, which comes later",
            "a.csv:1:1"},
           {first + "1F0,1RECV_F0,1B0,1SEND_B0\n",
            "rank 0: 0RECV_B0 can never run: it needs 1SEND_B0 of rank 1, which is behind 1F0, which needs 1RECV_F0, "
            "which comes later",
            "a.csv:1:14"},
           {first + "1RECV_F0,1F0,1SEND_B0,1B0\n",
            "rank 0: 0RECV_B0 can never run: it needs 1SEND_B0 of rank 1, which needs 1B0, which comes later",
            "a.csv:1:14"},
       })
    expect_refused(wrong);
}

TEST(ReadPlan, ChecksTheRestToo) {
  expect_refused({"0F0,0B0,0F0\n", "rank 0: F of stage 0, microbatch 0 is done 2 times, not once", "a.csv:1:9"});
  expect_refused(
      {"0F0,0B0\n1F0\n", "rank 1: B (or I) of stage 1, microbatch 0 is done 0 times, not once", "a.csv:2:1"});
  expect_refused({"0F0,0B0,0F900000\n", "rank 0: F of stage 0, microbatch 1 is done 0 times, not once", "a.csv:1:1"});
  expect_refused({"0F0,0B0\n\n1F0,1B0\n", "rank 1: it has no stage", "a.csv:2:1"});
  expect_refused({"0B0, 0F0\n", "rank 0: 0B0 can never run: it needs 0F0, which comes later", "a.csv:1:1"});
}

/// Pieces that mean something in a plan, or nothing, or too much.
constexpr std::array<std::string_view, 24> pieces{",",
                                                  "\n",
                                                  "\t",
                                                  "\r\n",
                                                  "\xEF\xBB\xBF",
                                                  "(",
                                                  ";",
                                                  ")OVERLAP_F_B",
                                                  "F",
                                                  "B0",
                                                  "SEND_F",
                                                  "RECV_B",
                                                  "0",
                                                  "7",
                                                  "1000000",
                                                  "99999999999999999999",
                                                  "-1",
                                                  "1F0,",
                                                  "0I0,",
                                                  ",0W0,0I1",
                                                  "\xff",
                                                  "UNSHARD",
                                                  "0REDUCE_GRAD",
                                                  "\n\n"};

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (std::size_t change = 0, changes = 1 + below(3); change < changes && !text.empty(); ++change) {
    const std::size_t at = below(text.size()), length = std::min(text.size() - at, 1 + below(12));
    switch (below(5)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, pieces[below(pieces.size())]); break;
      case 3: text.insert(below(text.size()), text.substr(at, length)); break;
      default: text.replace(at, length, pieces[below(pieces.size())]); break;
    }
  }
  return text;
}

/// A changed text is either a plan that can run, the core's communication included, or an error at a place.
void try_changes(const std::string& text, unsigned seed) {
  std::mt19937 random(seed);
  int taken = 0;
  constexpr int tries = 4000;
  for (int i = 0; i < tries; ++i) {
    const std::string changed = mutated(text, random);
    SCOPED_TRACE(changed);
    try {
      const Plan plan = read_plan(changed, "a.csv");
      const ScheduleInput in{static_cast<int>(plan.ranks.size()), 0, microbatches_of(plan), {}};
      ASSERT_NO_THROW(validate(plan, in));
      ASSERT_NO_THROW(validate_lowered(lower(plan), in));
      ASSERT_EQ(plan_text(read_plan(plan_text(lower(plan)), "b.csv")), plan_text(plan));
      ++taken;
    } catch (const Error& e) {
      ASSERT_TRUE(e.where().starts_with("a.csv:")) << e.what();
      ASSERT_FALSE(e.problem().empty() || e.cure().empty()) << e.what();
    }
  }
  EXPECT_GT(taken, 10);
  EXPECT_LT(taken, tries / 2);
}

TEST(ReadPlan, AChangedTextIsAPlanThatRunsOrAnErrorAtAPlace) {
  try_changes(whole_plan, 20261201);
  try_changes("0F0,3F0,(0F1;3B0)OVERLAP_F_B,0B0,0REDUCE_GRAD,3F1,3I1,0I1,3W1,0W1\n1F0,2F0,2B0,1B0,1F1,2F1,2B1,1B1\n",
              20261202);
}

/// A folder, removed at the end.
class PlanFile : public ::testing::Test {
 protected:
  PlanFile() { fs::create_directories(folder_); }
  ~PlanFile() override { fs::remove_all(folder_); }
  std::string refusal(const fs::path& file) {
    try {
      read_plan(file);
    } catch (const Error& e) {
      return e.problem();
    }
    return "nothing was refused";
  }
  fs::path folder_ = fs::temp_directory_path() / ("shardbench-plan-" + std::to_string(::getpid()));
};

TEST_F(PlanFile, IsRead) {
  std::ofstream(folder_ / "a.csv") << "\xEF\xBB\xBF" << whole_plan << "\n\n";
  EXPECT_EQ(plan_text(read_plan(folder_ / "a.csv")), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
}

TEST_F(PlanFile, HasToBeAFileWithAPlan) {
  EXPECT_EQ(refusal(folder_ / "b.csv"), "the plan file \"" + (folder_ / "b.csv").string() + "\" does not exist");
  EXPECT_EQ(refusal(folder_), "\"" + folder_.string() + "\" is a folder, but a plan file is needed");
  EXPECT_EQ(refusal("/dev/zero"), "\"/dev/zero\" is a device, but a plan file is needed");
  std::ofstream(folder_ / "empty.csv").close();
  EXPECT_EQ(refusal(folder_ / "empty.csv"), "there are no actions");
  std::ofstream(folder_ / "locked.csv") << whole_plan;
  fs::permissions(folder_ / "locked.csv", fs::perms::none);
  const bool root = ::geteuid() == 0;  // who reads everything
  ASSERT_EQ(root ? ::seteuid(65534) : 0, 0);
  EXPECT_EQ(refusal(folder_ / "locked.csv"),
            "the plan file \"" + (folder_ / "locked.csv").string() + "\" cannot be read: Permission denied");
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
}

}  // namespace
}  // namespace shardbench
