#include "simulate/trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "law/plan_text.hpp"
#include "law/plan_walk.hpp"

namespace shardbench {
namespace {

/// Text as a JSON string, with its quotes.
std::string quoted(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string name_event(std::string_view what, int thread, std::string_view name) {
  return fmt::format(R"({{"name":"{}","ph":"M","pid":0,"tid":{},"args":{{"name":{}}}}})", what, thread, quoted(name));
}

std::string_view category(ActionKind kind) {
  constexpr std::string_view names[] = {"forward", "backward", "input gradient", "weight gradient"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string trace_json(const Plan& plan, const Simulation& simulation, std::string_view title, double microseconds) {
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + name_event("process_name", 0, title);
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    out += ",\n" + name_event("thread_name", static_cast<int>(r), fmt::format("rank {}", r));
  int message = 0;
  PlanWalk walk(plan, microbatches_of(plan));
  walk.run([&](int rank, std::size_t index, const ActionPlace& from) {
    const auto r = static_cast<std::size_t>(rank);
    const Action& a = plan.ranks[r].actions[index];
    const double begin = simulation.begins[r][index];
    out += fmt::format(
        R"(,{}{{"name":"{}","cat":"{}","ph":"X","pid":0,"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{"stage":{},"microbatch":{}}}}})",
        '\n', text(a), category(a.kind), rank, begin * microseconds, simulation.takes(a) * microseconds, a.stage,
        a.microbatch);
    if (!from.exists()) return;
    const auto sender = static_cast<std::size_t>(from.rank), sent = static_cast<std::size_t>(from.index);
    // An arrow begins inside the sender's slice and ends inside the receiver's.
    const double left = simulation.begins[sender][sent] + simulation.takes(plan.ranks[sender].actions[sent]);
    out += fmt::format(R"(,{}{{"name":"message","cat":"message","ph":"s","id":{},"pid":0,"tid":{},"ts":{:.3f}}})", '\n',
                       ++message, from.rank, left * microseconds - 0.001);
    out +=
        fmt::format(R"(,{}{{"name":"message","cat":"message","ph":"f","bp":"e","id":{},"pid":0,"tid":{},"ts":{:.3f}}})",
                    '\n', message, rank, begin * microseconds);
  });
  return out + "\n]}\n";
}

}  // namespace shardbench
