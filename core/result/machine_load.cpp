#include "result/machine_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shardbench {
namespace {

namespace fs = std::filesystem;

std::optional<CpuTimes> cpu_times_now() {
  std::ifstream stat("/proc/stat");
  return cpu_times(stat, static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

/// CPU seconds of this process and of the children that it has waited for.
double own_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (::getrusage(who, &usage) != 0) continue;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

std::optional<double> load_average() {
  double minute = 0;
  return ::getloadavg(&minute, 1) == 1 ? std::optional(minute) : std::nullopt;
}

/// Governor and frequency of each core (the kernel's documentation, admin-guide/pm/cpufreq). Guests mostly have none.
void read_frequencies(MachineLoad& load) {
  std::set<std::string> governors;
  std::error_code none;
  for (const auto& cpu : fs::directory_iterator("/sys/devices/system/cpu", none)) {
    std::ifstream governor(cpu.path() / "cpufreq/scaling_governor"), frequency(cpu.path() / "cpufreq/scaling_cur_freq");
    if (std::string name; governor >> name) governors.insert(name);
    if (double kilohertz = 0; frequency >> kilohertz) {
      load.lowest_MHz = std::min(load.lowest_MHz.value_or(kilohertz / 1000), kilohertz / 1000);
      load.highest_MHz = std::max(load.highest_MHz.value_or(0), kilohertz / 1000);
    }
  }
  load.governor = fmt::format("{}", fmt::join(governors, "+"));
}

}  // namespace

std::string busy_text(const MachineLoad& load) {
  if (!load.busy()) return {};
  std::string who;
  const auto add = [&](const char* name, const std::optional<double>& share) {
    if (share.value_or(0) >= busy_share)
      who += fmt::format("{}{} took {:.0f} %", who.empty() ? "" : " and ", name, 100 * *share);
  };
  add("other processes", load.others_share);
  add("other guests of its host", load.stolen_share);
  return fmt::format("the machine was busy: {} of its CPU time ({:.0f} % or more count)", who, 100 * busy_share);
}

std::optional<CpuTimes> cpu_times(std::istream& stat, double ticks_per_second) {
  std::string line, label;
  std::getline(stat, line);
  std::istringstream fields(line);
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft_interrupts = 0, stolen = 0;
  fields >> label >> user >> nice >> system >> idle >> waiting >> interrupts >> soft_interrupts >> stolen;
  if (!fields || label != "cpu") return std::nullopt;
  const double busy = user + nice + system + interrupts + soft_interrupts;
  return CpuTimes{busy / ticks_per_second, stolen / ticks_per_second,
                  (busy + stolen + idle + waiting) / ticks_per_second};
}

LoadObserver::LoadObserver()
    : start_(std::chrono::steady_clock::now()), cpu_(cpu_times_now()), own_(own_seconds()), load_(load_average()) {}

MachineLoad LoadObserver::load() const {
  MachineLoad load;
  load.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  load.load_before = load_;
  load.load_after = load_average();
  load.niceness = ::getpriority(PRIO_PROCESS, 0);
  read_frequencies(load);
  const auto now = cpu_times_now();
  if (!cpu_ || !now || now->all <= cpu_->all) return load;
  const double all = now->all - cpu_->all, others = now->busy - cpu_->busy - (own_seconds() - own_);
  load.others_share = std::clamp(others / all, 0.0, 1.0);
  load.stolen_share = std::clamp((now->stolen - cpu_->stolen) / all, 0.0, 1.0);
  return load;
}

}  // namespace shardbench
