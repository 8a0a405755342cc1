#pragma once
#include <string>
#include <vector>

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
  std::vector<int> law(int ranks, int microbatches) const {
    std::vector<int> peaks;
    for (int r = 0; r < ranks; ++r)
      peaks.push_back(loaded_.descriptor().schedule_law({ranks, 1, microbatches, {}}, r).peak_in_flight);
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
