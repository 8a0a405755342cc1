#pragma once
#include <string>
#include <vector>

#include "control/channel.hpp"
#include "plugin/catalogue.hpp"
#include "shardbench/law.hpp"
#include "shardbench/schedule.hpp"

/// Questions and answers of the plugin host as messages. Answers come from a process that runs plugins: reading one
/// throws `Error`, which says what is wrong with it, unless it is complete and what it says is possible.

namespace shardbench {

/// A schedule at one size, by its plugin.
struct ScheduleAnswer {
  Plan plan;
  std::vector<ScheduleLaw> laws;  ///< per rank
};

Message plugin_message(const PluginInfo& plugin);
PluginInfo plugin_in(const Message& message);

Message input_message(const ScheduleInput& in);
ScheduleInput input_in(const Message& message);

/// A plan may have millions of actions: they travel as bytes.
Message schedule_message(const ScheduleAnswer& answer);
/// Laws are those of `in.ranks` ranks, and no number of them is negative. The plan is not validated, but its actions
/// are of the known kinds.
ScheduleAnswer schedule_in(const Message& message, const ScheduleInput& in);

Message laws_message(const std::vector<Law>& laws);
/// One per rank, each possible (`check_law`).
std::vector<Law> laws_in(const Message& message, int world);

/// Words for mpirun: not empty, without a NUL, and no more than a command line holds.
std::vector<std::string> arguments_in(const Message& message);

}  // namespace shardbench
