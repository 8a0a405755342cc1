#pragma once
#include <map>
#include <string>
#include <vector>

#include "cli/schedule_arguments.hpp"
#include "host/plugin_host.hpp"
#include "plugin/catalogue.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// A schedule at one size: its plan, which is valid, and what it claims of each rank.
struct PlannedSchedule {
  ScheduleInput input;
  Plan plan;
  std::vector<ScheduleLaw> laws;  ///< per rank
};

/// Stages per rank that a schedule is asked for: its option `chunks`, or the first value that it declares for it, or 1
/// where it declares none. Throws `Error` where the option is no number that a schedule could have.
int chunks_of(const PluginInfo& schedule, const std::map<std::string, std::string>& options);

/// The schedule of that name. Throws `Error`, with those that there are, where there is none.
const PluginInfo& find_schedule(const Catalogue& catalogue, const std::string& name);

/// What the command line asks of a schedule. Throws `Error` where it has no such option or value.
ScheduleInput schedule_input(const PluginInfo& schedule, const ScheduleArguments& arguments);

/// The plan of a schedule plugin, validated. Throws `Error`, without a place, where the schedule cannot do that many
/// ranks, chunks and microbatches, and `PluginFault` where it does something else or its plan is wrong.
PlannedSchedule plan_schedule(PluginHost& host, const PluginInfo& schedule, const ScheduleInput& in,
                              double deadline_s = PluginHost::patience_s);

}  // namespace shardbench
