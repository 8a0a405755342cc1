#pragma once
#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace shardbench {

/// Share of the machine's CPU time from which on it was busy with other things than the run: 5 %. Two ranks on two
/// cores then wait for a core that somebody else has, now and then in every launch.
inline constexpr double busy_share = 0.05;

/// What else the machine did during a run, and how it ran. What cannot be read is nothing.
struct MachineLoad {
  double seconds = 0;                             ///< that were observed
  std::optional<double> load_before, load_after;  ///< load average of one minute, at the beginning and at the end
  std::optional<double> others_share;             ///< of all cores' time: other processes, and the kernel for them
  std::optional<double> stolen_share;             ///< of all cores' time: other guests of the same host
  int niceness = 0;                               ///< of the driver, which ranks inherit
  std::string governor;                           ///< of the CPU frequency: "performance"; several joined by '+'
  std::optional<double> lowest_MHz, highest_MHz;  ///< over cores, at the end

  bool busy() const { return others_share.value_or(0) >= busy_share || stolen_share.value_or(0) >= busy_share; }
};

/// "the machine was busy: other processes took 12 % of its CPU time (5 % or more count)", or empty where it was not.
std::string busy_text(const MachineLoad& load);

/// Time that the cores of a machine have spent since it started, in seconds over all cores.
struct CpuTimes {
  double busy = 0;    ///< for processes and the kernel
  double stolen = 0;  ///< by other guests
  double all = 0;     ///< idle and waiting included

  bool operator==(const CpuTimes&) const = default;
};

/// The first line of /proc/stat (proc(5)), whose clock ticks `ticks_per_second` times a second. Nothing where it is of
/// another shape.
std::optional<CpuTimes> cpu_times(std::istream& stat, double ticks_per_second);

/// Observes the machine from its construction on. The driver's own time and that of the children that it has waited for
/// are the run's; so ask when the ranks have ended.
class LoadObserver {
 public:
  LoadObserver();
  MachineLoad load() const;

 private:
  std::chrono::steady_clock::time_point start_;
  std::optional<CpuTimes> cpu_;
  double own_;
  std::optional<double> load_;
};

}  // namespace shardbench
