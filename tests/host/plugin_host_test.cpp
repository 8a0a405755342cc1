#include "host/plugin_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>

#include "plugin/descriptor.hpp"

namespace shardbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

PluginInfo fixture(const std::string& name) { return read_plugin(std::string(FIXTURES) + "/" + name + ".so", "test"); }

ScheduleInput input(const std::map<std::string, std::string>& options = {}) { return {2, 1, 3, options}; }

/// The fault that the call throws.
template <class Call>
std::optional<PluginFault> fault_of(Call call) {
  try {
    call();
  } catch (const PluginFault& fault) {
    return fault;
  }
  ADD_FAILURE() << "no PluginFault was thrown";
  return std::nullopt;
}

void expect_a_good_answer(PluginHost& host) {
  const ScheduleAnswer answer = host.plan(fixture("schedule_bad"), input());
  EXPECT_THAT(answer.plan.placement, ElementsAre(0, 1));
  ASSERT_EQ(answer.plan.ranks.size(), 2U);
  EXPECT_EQ(answer.plan.ranks[1].actions.size(), 6U);
  EXPECT_EQ(answer.plan.ranks[1].actions[4], (Action{ActionKind::backward, 1, 1}));
  ASSERT_EQ(answer.laws.size(), 2U);
  EXPECT_EQ(answer.laws[0].peak_in_flight, 3);
}

TEST(PluginHost, GivesPlansLawsAndArguments) {
  PluginHost host;
  expect_a_good_answer(host);
  EXPECT_THAT(host.mpirun_arguments(fixture("comm_bad"), {}, 60), ElementsAre("--bind-to", "core"));
  host.load(fixture("schedule_bad"));
}

/// What the plugin does, and what the fault says of it.
struct Misdeed {
  const char* fault;
  const char* said;
};

void PrintTo(const Misdeed& misdeed, std::ostream* out) { *out << misdeed.fault; }

class Misdeeds : public ::testing::TestWithParam<Misdeed> {
 protected:
  void expect_fault(const std::optional<PluginFault>& fault, const std::string& plugin, const std::string& call) {
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind(), FaultKind::crashed);
    EXPECT_THAT(fault->problem(), AllOf(HasSubstr(plugin + " "), HasSubstr(GetParam().said), HasSubstr(" in " + call)));
    EXPECT_THAT(fault->where(), HasSubstr(FIXTURES));
    EXPECT_EQ(fault->cure(), "correct the plugin, or leave it out");
    expect_a_good_answer(host_);
  }
  PluginHost host_;
};

TEST_P(Misdeeds, InAPlan) {
  const auto fault = fault_of([&] { host_.plan(fixture("schedule_bad"), input({{"plan", GetParam().fault}})); });
  expect_fault(fault, "schedule 'bad'", "its plan");
}

TEST_P(Misdeeds, InALaw) {
  const auto fault = fault_of([&] { host_.plan(fixture("schedule_bad"), input({{"law", GetParam().fault}})); });
  expect_fault(fault, "schedule 'bad'", "its law");
}

TEST_P(Misdeeds, InMpirunsArguments) {
  const auto fault = fault_of([&] { host_.mpirun_arguments(fixture("comm_bad"), {{"fault", GetParam().fault}}, 60); });
  expect_fault(fault, "comm 'bad'", "mpirun's arguments");
}

INSTANTIATE_TEST_SUITE_P(All, Misdeeds,
                         ::testing::Values(Misdeed{"segv", "was killed by signal 11 (Segmentation fault)"},
                                           Misdeed{"abort", "was killed by signal 6 (Aborted)"},
                                           Misdeed{"exit", "exited with status 0"},
                                           Misdeed{"int", "threw an exception of type int"},
                                           Misdeed{"own", "threw shardbench::testing::OwnException: of my own"},
                                           Misdeed{"garbage", "wrote into the connection to the driver"},
                                           Misdeed{"close", "exited with status 125"}),
                         [](const auto& misdeed) { return std::string(misdeed.param.fault); });

struct Initializer {
  const char* plugin;
  const char* said;
};

class Initializers : public ::testing::TestWithParam<Initializer> {};

TEST_P(Initializers, CostOnlyTheirPlugin) {
  PluginHost host;
  const auto fault = fault_of([&] { host.load(fixture(GetParam().plugin)); });
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->problem(), AllOf(HasSubstr(GetParam().said), HasSubstr(" in its static initializers")));
  expect_a_good_answer(host);
}

INSTANTIATE_TEST_SUITE_P(All, Initializers,
                         ::testing::Values(Initializer{"schedule_bad_exit", "exited with status 0"},
                                           Initializer{"schedule_bad_segv", "was killed by signal 11"},
                                           Initializer{"schedule_bad_int", "throwing an instance of 'int'"}),
                         [](const auto& initializer) { return std::string(initializer.param.plugin); });

// Half a second is long enough to be sure that a plugin that waits for ever has not answered.
TEST(PluginHost, EndsAPluginThatHangs) {
  PluginHost host;
  const auto plan = fault_of([&] { host.plan(fixture("schedule_bad"), input({{"plan", "hang"}}), 0.5); });
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kind(), FaultKind::timeout);
  EXPECT_EQ(plan->problem(), "schedule 'bad' did not come back within 0.5 s in its plan");
  const auto initializer = fault_of([&] { host.load(fixture("schedule_bad_hang"), 0.5); });
  ASSERT_TRUE(initializer);
  EXPECT_EQ(initializer->kind(), FaultKind::timeout);
  expect_a_good_answer(host);
}

TEST(PluginHost, PassesOnWhatASchedulesOwnErrorSays) {
  PluginHost host;
  try {
    host.plan(fixture("schedule_bad"), input({{"plan", "error"}}));
    FAIL() << "nothing was thrown";
  } catch (const PluginFault& fault) {
    FAIL() << fault.what();
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "this size is odd");
    EXPECT_EQ(error.where(), "the size");
    EXPECT_EQ(error.cure(), "take an even one");
  }
}

struct WrongAnswer {
  std::map<std::string, std::string> options;
  const char* said;
};

void PrintTo(const WrongAnswer& wrong, std::ostream* out) { *out << wrong.said; }

class WrongAnswers : public ::testing::TestWithParam<WrongAnswer> {};

TEST_P(WrongAnswers, AreFaultsOfThePlugin) {
  PluginHost host;
  const auto fault = fault_of([&] { host.plan(fixture("schedule_bad"), input(GetParam().options)); });
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->problem(),
              AllOf(HasSubstr("schedule 'bad' gives a wrong plan or law: "), HasSubstr(GetParam().said)));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongAnswers,
    ::testing::Values(WrongAnswer{{{"plan", "kind"}}, "an action is of kind 77, but kinds are 0 to 7"},
                      WrongAnswer{{{"plan", "stage"}}, "rank 0: -2147483648F0 is outside 2 stages"},
                      WrongAnswer{{{"plan", "microbatch"}}, "rank 0: 0F2147483647 is outside"},
                      WrongAnswer{{{"plan", "placement"}}, "stage 0 is placed on rank 1000000 of 2"},
                      WrongAnswer{{{"plan", "no_stages"}}, "the plan places 0 stages on 2 ranks"},
                      WrongAnswer{{{"plan", "no_ranks"}}, "the plan places 2 stages on 0 ranks"},
                      WrongAnswer{{{"law", "negative"}}, "its law for rank 0 claims -1 for microbatches in flight"}));

TEST(PluginHost, RefusesWordsThatNoCommandLineHolds) {
  PluginHost host;
  const auto words = [&](const char* fault) {
    return fault_of([&] { host.mpirun_arguments(fixture("comm_bad"), {{"fault", fault}}, 60); })->problem();
  };
  EXPECT_THAT(words("nul"), HasSubstr("a word for mpirun has a NUL in it"));
  EXPECT_THAT(words("endless"), HasSubstr("are 1000000 bytes, but at most 100000 fit"));
}

TEST(PluginHost, SaysWhatTheLoaderSays) {
  PluginHost host;
  PluginInfo missing = fixture("schedule_bad");
  missing.file = "/nowhere/schedule_bad.so";
  try {
    host.load(missing);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.problem(), HasSubstr("the loader refuses schedule 'bad'"));
  }
}

// A plugin that runs after another is asked again in a process of its own before it is blamed.
TEST(PluginHost, BlamesAPluginOnlyForAProcessOfItsOwn) {
  PluginHost host;
  host.load(read_plugin(SCHEDULE_1F1B, "test"));
  const auto fault = fault_of([&] { host.plan(fixture("schedule_bad"), input({{"plan", "segv"}})); });
  ASSERT_TRUE(fault);
  EXPECT_THAT(fault->problem(), HasSubstr("schedule 'bad' was killed by signal 11"));
}

TEST(PluginHost, LeavesNoProcessBehind) {
  std::string children;
  {
    PluginHost host;
    expect_a_good_answer(host);
    std::ifstream("/proc/thread-self/children") >> children;
    EXPECT_NE(children, "");
  }
  children.clear();
  std::ifstream("/proc/thread-self/children") >> children;
  EXPECT_EQ(children, "");
}

}  // namespace
}  // namespace shardbench
