#pragma once
#include <map>
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

/// Every schedule that is arithmetic (not csv), with numbers of chunks to try and the fewest microbatches it takes.
struct Tried {
  const char* name;
  std::vector<int> chunks;
  bool rounds = false;  ///< m / p rounds, which have to divide m
  bool full = false;    ///< m >= 2p
  bool takes(int ranks, int microbatches) const {
    if (full && microbatches < 2 * ranks) return false;
    return !rounds || microbatches < ranks || microbatches % (microbatches / ranks) == 0;
  }
};
inline const std::vector<Tried>& all_schedules() {
  static const std::vector<Tried> all{{"gpipe", {1}},
                                      {"1f1b", {1}},
                                      {"eager_1f1b", {1}},
                                      {"interleaved_1f1b", {1, 2, 3}, true},
                                      {"looped_bfs", {1, 2, 3}},
                                      {"zb_h1", {1}},
                                      {"zb_h2", {1}},
                                      {"interleaved_zb", {1, 2, 3}, true},
                                      {"zbv", {2}},
                                      {"v_half", {2}},
                                      {"v_min", {2}},
                                      {"dualpipev", {2}, false, true}};
  return all;
}

}  // namespace shardbench::testing
