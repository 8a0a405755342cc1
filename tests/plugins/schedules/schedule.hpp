#pragma once
#include <map>
#include <string>

#include "law/plan.hpp"
#include "plugin/loaded.hpp"
#include "plugins/schedules/tried.hpp"
#include "shardbench/error.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench::testing {

/// A schedule plugin as it was built, loaded.
class Schedule {
 public:
  explicit Schedule(const std::string& name) : loaded_(info(name)) {}

  Plan plan(const ScheduleInput& in) const { return loaded_.descriptor().schedule_plan(in); }
  Plan plan(int ranks, int microbatches, int chunks = 1) const { return plan({ranks, chunks, microbatches, {}}); }
  /// Claimed microbatches in flight, per rank.
  PeakInFlight law(const ScheduleInput& in) const {
    PeakInFlight peaks;
    for (int r = 0; r < in.ranks; ++r) {
      const ScheduleLaw law = loaded_.descriptor().schedule_law(in, r);
      peaks.until_input.push_back(law.peak_in_flight);
      peaks.until_weight.push_back(law.peak_in_flight_until_weight);
    }
    return peaks;
  }
  /// Why it refuses to make the plan: the problem, and what to do.
  std::pair<std::string, std::string> refusal(const ScheduleInput& in) const {
    try {
      plan(in);
    } catch (const Error& e) {
      return {e.problem(), e.cure()};
    }
    return {"nothing was refused", {}};
  }

 private:
  static PluginInfo info(const std::string& name) {
    PluginInfo info;
    info.kind = PluginKind::schedule;
    info.name = name;
    info.file = std::string(SCHEDULE_FOLDER) + "/schedule_" + name + ".so";
    return info;
  }
  LoadedPlugin loaded_;
};

}  // namespace shardbench::testing
