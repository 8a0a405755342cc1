#include "result/machine_load.hpp"

#include <gtest/gtest.h>
#include <sstream>

using namespace shardbench;

TEST(MachineLoad, TimesAreThoseOfTheFirstLineOfProcStat) {  // user nice system idle iowait irq softirq steal guest ...
  std::istringstream stat("cpu  100 20 30 800 50 3 7 40 11 12\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  const CpuTimes times = cpu_times(stat, 100).value();
  EXPECT_DOUBLE_EQ(times.busy, 1.6);  // guests' time is in user's already
  EXPECT_DOUBLE_EQ(times.stolen, 0.4);
  EXPECT_DOUBLE_EQ(times.all, 10.5);
  std::istringstream short_line("cpu  100 20 30 800\n"), other("intr 1 2 3 4 5 6 7 8 9\n"), empty;
  EXPECT_EQ(cpu_times(short_line, 100), std::nullopt);
  EXPECT_EQ(cpu_times(other, 100), std::nullopt);
  EXPECT_EQ(cpu_times(empty, 100), std::nullopt);
}

TEST(MachineLoad, BusyIsFromAThresholdOnAndSaidWithIt) {
  MachineLoad load;
  EXPECT_FALSE(load.busy());  // nothing could be read
  load.others_share = 0.049;
  EXPECT_EQ(busy_text(load), "");
  load.others_share = 0.123;
  EXPECT_EQ(busy_text(load), "the machine was busy: other processes took 12 % of its CPU time (5 % or more count)");
  load.stolen_share = 0.05;
  EXPECT_EQ(
      busy_text(load),
      "the machine was busy: other processes took 12 % and other guests of its host took 5 % of its CPU time (5 % "
      "or more count)");
  load.others_share.reset();
  EXPECT_TRUE(load.busy());
}

TEST(MachineLoad, IsReadFromThisMachine) {
  const LoadObserver observer;
  const MachineLoad load = observer.load();
  EXPECT_TRUE(load.load_before && load.load_after);
  EXPECT_GE(load.niceness, -20);
  EXPECT_LE(load.niceness, 19);
  EXPECT_EQ(load.lowest_MHz.has_value(), load.highest_MHz.has_value());
  if (load.others_share) {  // nothing where no tick of the clock passed
    EXPECT_LE(*load.others_share + *load.stolen_share, 2);
  }
}
