#include "cli/schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "shardbench/error.hpp"
#include "suite/nearest.hpp"

namespace shardbench {
namespace {

/// Far more stages per rank than any model has layers for.
constexpr int most_chunks = 1024;

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

const PluginInfo& find_schedule(const Catalogue& catalogue, const std::string& name) {
  if (const PluginInfo* found = catalogue.find(PluginKind::schedule, name)) return *found;
  const auto names = catalogue.names(PluginKind::schedule);
  const std::string nearest = nearest_name(name, names);
  throw Error("there is no schedule '" + name + "'", "--schedule",
              (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                  fmt::format("there are: {}", fmt::join(names, ", ")));
}

ScheduleInput schedule_input(const PluginInfo& schedule, const ScheduleArguments& arguments) {
  ScheduleInput in{arguments.ranks, 1, arguments.microbatches, {}};
  std::vector<std::string> options = arguments.options;
  if (arguments.chunks > 0) options.push_back("chunks=" + std::to_string(arguments.chunks));
  for (const std::string& option : options) {
    const auto equals = std::min(option.find('='), option.size());
    const std::string name = option.substr(0, equals), value = option.substr(std::min(equals + 1, option.size()));
    const auto declared = schedule.options.find(name);
    if (declared == schedule.options.end() && option == "chunks=1") continue;
    if (declared == schedule.options.end())
      throw Error("schedule '" + schedule.name + "' has no option '" + name + "'", "--option " + option,
                  "leave it out, or take another schedule (shardbench list)");
    const auto& allowed = declared->second;
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end() && allowed.front() != "*")
      throw Error("option '" + name + "' of schedule '" + schedule.name + "' is '" + value + "'", "--option " + option,
                  fmt::format("set it to one of {}", fmt::join(allowed, ", ")));
    in.options[name] = value;
  }
  in.chunks = chunks_of(schedule, in.options);
  return in;
}

PlannedSchedule plan_schedule(PluginHost& host, const PluginInfo& schedule, const ScheduleInput& in,
                              double deadline_s) {
  ScheduleAnswer answer = host.plan(schedule, in, deadline_s);
  return {in, std::move(answer.plan), std::move(answer.laws)};
}

}  // namespace shardbench
