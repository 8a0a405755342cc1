#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include "launch/interrupts.hpp"
#include "launch/rank_group.hpp"
#include "launch/ranks.hpp"
#include "launch/temporary_folder.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Misbehaviour;
using ::testing::Not;
using ::testing::StartsWith;

class Group : public ::testing::Test {
 protected:
  RankGroup::Input input(int world) const { return {world, fork_launcher(&testing::rank_main), folder_.path(), 60}; }

  /// What the driver is told when rank `culprit` of three misbehaves; all processes must be gone then.
  GroupFault fault(Misbehaviour how, int culprit, double deadline_s = 60) {
    testing::plan_misbehaviour(how, culprit);
    RankGroup group(input(3));
    const auto processes = testing::processes_of(group);
    group.begin_again(deadline_s);  // once all are there, however long their start took
    try {
      group.ask({{"type", "misbehave"}, {"board", group.board_file().string()}});
    } catch (const GroupFault& f) {
      EXPECT_TRUE(testing::all_gone(processes));
      return f;
    }
    ADD_FAILURE() << "no fault was seen";
    return {FaultKind::interrupted, ""};
  }

  TemporaryFolder folder_;
};

TEST_F(Group, AnswersComeInTheOrderOfRanks) {
  testing::plan_misbehaviour(Misbehaviour::exit, 0);
  for (const int world : {1, 4}) {
    RankGroup group(input(world));
    const auto answers = group.ask({{"type", "who"}});
    ASSERT_EQ(answers.size(), static_cast<std::size_t>(world));
    for (int r = 0; r < world; ++r) {
      EXPECT_EQ(answers[r].at("rank"), r);
      EXPECT_EQ(answers[r].at("world"), world);
    }
    const auto processes = testing::processes_of(group);
    group.finish();
    EXPECT_TRUE(testing::all_gone(processes));
  }
}

TEST_F(Group, ExchangeGivesEveryBlobToEveryRank) {
  RankGroup group(input(3));
  for (int round = 0; round < 3; ++round)
    for (const Message& answer : group.ask({{"type", "exchange"}}))
      EXPECT_EQ(answer.at("all"), Message({"of rank 0", "of rank 1", "of rank 2"}));
}

// Ranks that wait for a next case outlive the deadline of their last one.
TEST_F(Group, BeginsAgainWithANewBoardAfterItsDeadline) {
  testing::plan_misbehaviour(Misbehaviour::exit, 0);
  RankGroup group(input(2));
  group.ask({{"type", "who"}});
  group.begin_again(-1);
  const auto first = group.board_file();
  EXPECT_LT(group.seconds_left(), 0);
  group.begin_again(60);
  EXPECT_NE(group.board_file(), first);
  group.ask({{"type", "who"}});
  group.finish();
}

TEST_F(Group, ThatIsDroppedLeavesNoProcess) {
  std::vector<pid_t> processes;
  {
    RankGroup group(input(3));
    processes = testing::processes_of(group);
    for (const pid_t p : processes) EXPECT_TRUE(testing::alive(p));
  }
  EXPECT_TRUE(testing::all_gone(processes));
}

TEST_F(Group, IsAProcessGroupOfItsOwn) {
  RankGroup group(input(2));
  const auto processes = testing::processes_of(group);
  for (const pid_t p : processes) EXPECT_EQ(::getpgid(p), processes[0]);
  EXPECT_NE(::getpgid(0), processes[0]);
}

TEST_F(Group, ARankThatExitsIsNamedWithItsLastOperationAndWords) {
  const GroupFault f = fault(Misbehaviour::exit, 1);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_THAT(f.what(), AllOf(StartsWith("rank 1 exited with status 3 while asked to 'misbehave': computing for "),
                              HasSubstr(" s after all_reduce of 467 float32 (sum) (collectives so far: 1)"),
                              HasSubstr("its last words: first line\nout of luck")));
}

TEST_F(Group, ARankThatIsKilledIsNamed) {
  const GroupFault f = fault(Misbehaviour::kill, 2);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_THAT(f.what(), AllOf(StartsWith("rank 2 was killed by signal 9 (Killed)"),
                              HasSubstr("all_reduce of 467 float32"), Not(HasSubstr("last words"))));
}

TEST_F(Group, ARankThatCrashesIsNamed) {
  const GroupFault f = fault(Misbehaviour::segv, 0);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_THAT(f.what(), StartsWith("rank 0 was killed by signal 11 (Segmentation fault)"));
}

TEST_F(Group, ARankThatHangsIsNamedFirstAfterTheDeadline) {
  const auto start = std::chrono::steady_clock::now();
  const GroupFault f = fault(Misbehaviour::hang, 1, 5);
  EXPECT_EQ(f.kind(), FaultKind::timeout);
  EXPECT_THAT(f.what(),
              AllOf(StartsWith("no answer to 'misbehave' within the deadline of 5 s: rank 1 is computing for "),
                    HasSubstr("rank 0 is in all_reduce of 467 float32 (sum) (collectives so far: 1) for ")));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Group, ARankThatReportsAnErrorIsNamed) {
  const GroupFault f = fault(Misbehaviour::error, 2);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_STREQ(f.what(), "rank 2 failed in 'misbehave': no luck");
}

TEST_F(Group, ARankThatClosesItsConnectionIsNamed) {
  const GroupFault f = fault(Misbehaviour::close, 1);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_THAT(f.what(), StartsWith("rank 1 closed its connection while asked to 'misbehave'"));
}

TEST_F(Group, ARankThatWritesGarbageIsNamed) {
  const GroupFault f = fault(Misbehaviour::garbage, 1);
  EXPECT_EQ(f.kind(), FaultKind::crashed);
  EXPECT_STREQ(f.what(),
               "rank 1 failed in 'misbehave': it sent what cannot be read: a message between driver and rank claims "
               "4294967295 bytes, over the limit of 1 GiB");
}

TEST_F(Group, WhatARankStartedIsEndedToo) {
  fault(Misbehaviour::child, 0, 2);
  std::ifstream log(folder_.path() / "rank-0.log");
  pid_t child = 0;
  ASSERT_TRUE(log >> child);
  EXPECT_TRUE(testing::all_gone({child}));
}

TEST_F(Group, ABadEndAfterFinishIsAFault) {
  testing::plan_misbehaviour(Misbehaviour::late_exit, 1);
  RankGroup group(input(2));
  try {
    group.finish();
    ADD_FAILURE() << "no fault was seen";
  } catch (const GroupFault& f) {
    EXPECT_EQ(f.kind(), FaultKind::crashed);
    EXPECT_THAT(f.what(), StartsWith("rank 1 exited with status 9 while asked to 'finish'"));
  }
}

/// A driver that is interrupted while its ranks hang: exits with 0 if it is told so and no rank is left.
[[noreturn]] void interrupted_driver(const RankGroup::Input& input) {
  testing::plan_misbehaviour(Misbehaviour::hang, 0);
  watch_interrupts();
  RankGroup group(input);
  const auto processes = testing::processes_of(group);
  ::raise(SIGINT);
  try {
    group.ask({{"type", "misbehave"}, {"board", group.board_file().string()}});
  } catch (const GroupFault& f) {
    ::_exit(f.kind() == FaultKind::interrupted && interrupted() && testing::all_gone(processes) ? 0 : 1);
  }
  ::_exit(2);
}

TEST_F(Group, AnInterruptEndsTheWait) { EXPECT_EXIT(interrupted_driver(input(2)), ::testing::ExitedWithCode(0), ""); }

TEST(Interrupts, ASecondOneEndsTheDriver) {
  const auto twice = [] {
    watch_interrupts();
    ::raise(SIGTERM);
    if (!interrupted()) ::_exit(1);
    ::raise(SIGTERM);
    ::_exit(2);
  };
  EXPECT_EXIT(twice(), ::testing::KilledBySignal(SIGTERM), "");
}

TEST_F(Group, RanksEndWithTheirDriver) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t driver = ::fork();
  if (driver == 0) {
    RankGroup group(input(2));
    const auto processes = testing::processes_of(group);
    if (::write(pipe[1], processes.data(), 2 * sizeof(pid_t)) < 0) ::_exit(1);
    for (;;) ::pause();
  }
  std::vector<pid_t> processes(2);
  ASSERT_EQ(::read(pipe[0], processes.data(), 2 * sizeof(pid_t)), static_cast<ssize_t>(2 * sizeof(pid_t)));
  for (const pid_t p : processes) EXPECT_TRUE(testing::alive(p));
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  EXPECT_TRUE(testing::all_gone(processes));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace shardbench
