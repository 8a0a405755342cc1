#include "cli/schedules.hpp"

#include <fmt/format.h>

#include <charconv>

#include "law/plan.hpp"
#include "plugin/loaded.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Far more stages per rank than any model has layers for.
constexpr int most_chunks = 1024;

/// Schedule plugins stay loaded until the driver ends.
const PluginDescriptor& loaded_schedule(const PluginInfo& info) {
  static std::map<std::string, LoadedPlugin> loaded;
  return loaded.try_emplace(info.file.string(), info).first->second.descriptor();
}

}  // namespace

int chunks_of(const PluginInfo& schedule, const std::map<std::string, std::string>& options) {
  const auto declared = schedule.options.find("chunks");
  const auto asked = options.find("chunks");
  if (asked == options.end() && declared == schedule.options.end()) return 1;
  const std::string& text = asked != options.end() ? asked->second : declared->second.front();
  int chunks = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), chunks);
  if (problem != std::errc{} || end != text.data() + text.size() || chunks < 0 || chunks > most_chunks)
    throw Error(fmt::format("chunks is '{}', but it is the number of stages per rank, at most {}", text, most_chunks),
                {}, "set chunks to a number");
  return chunks;
}

PlannedSchedule plan_schedule(const PluginInfo& schedule, const ScheduleInput& in) {
  const PluginDescriptor& plugin = loaded_schedule(schedule);
  PlannedSchedule planned{in, plugin.schedule_plan(in), {}};
  validate(planned.plan, in);
  for (int rank = 0; rank < in.ranks; ++rank) planned.laws.push_back(plugin.schedule_law(in, rank));
  return planned;
}

}  // namespace shardbench
