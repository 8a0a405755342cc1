#pragma once
#include <string>
#include <vector>

#include "law/plan.hpp"
#include "plugin/loaded.hpp"
#include "shardbench/error.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench::testing {

/// A schedule plugin as it was built, loaded.
class Schedule {
 public:
  explicit Schedule(const std::string& name) : loaded_(info(name)) {}

  Plan plan(int ranks, int microbatches, int chunks = 1) const {
    return loaded_.descriptor().schedule_plan({ranks, chunks, microbatches, {}});
  }
  /// Claimed microbatches in flight, per rank.
  PeakInFlight law(int ranks, int microbatches) const {
    PeakInFlight peaks;
    for (int r = 0; r < ranks; ++r) {
      const ScheduleLaw law = loaded_.descriptor().schedule_law({ranks, 1, microbatches, {}}, r);
      peaks.until_input.push_back(law.peak_in_flight);
      peaks.until_weight.push_back(law.peak_in_flight_until_weight);
    }
    return peaks;
  }

 private:
  static PluginInfo info(const std::string& name) {
    PluginInfo info;
    info.kind = PluginKind::schedule;
    info.name = name;
    info.file = name == "gpipe" ? SCHEDULE_gpipe : SCHEDULE_1f1b;
    return info;
  }
  LoadedPlugin loaded_;
};

}  // namespace shardbench::testing
