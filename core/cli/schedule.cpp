#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/schedules.hpp"
#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "plugin/search.hpp"
#include "result/swapped_file.hpp"

namespace shardbench {

ExitCode schedule(const Arguments& arguments) {
  const ScheduleArguments& a = arguments.schedule;
  const Catalogue catalogue(default_search(arguments.plugins, {}));
  const PluginInfo& plugin = find_schedule(catalogue, a.schedule);
  PluginHost host;
  const Plan plan = plan_schedule(host, plugin, schedule_input(plugin, a)).plan;
  const std::string text = plan_text(a.communication ? lower(plan) : plan);
  if (a.out.empty())
    fmt::print("{}", text);
  else
    SwappedFile(a.out).put(text);
  return ExitCode::ok;
}

}  // namespace shardbench
