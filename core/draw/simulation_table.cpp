#include "draw/simulation_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "law/plan_text.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_rows = 32;  // of a table; of more the first and the last
constexpr std::size_t most_turns = 12;

std::string number(double value) { return fmt::format("{:.6g}", value); }

/// "4", or "4 (law 3)" where the law says otherwise.
std::string claimed(int simulated, int law, bool has_law) {
  return !has_law || simulated == law ? std::to_string(simulated) : fmt::format("{} (law {})", simulated, law);
}

bool left_out(std::size_t row, std::size_t rows) {
  return rows > most_rows && row >= most_rows / 2 && row < rows - most_rows / 2;
}

std::string ranks_table(const Plan& plan, const Simulation& simulation, const std::vector<ScheduleLaw>& laws,
                        TextStyle style) {
  TextTable table({{"rank"},
                   {"stages", Align::left},
                   {"first to last action"},
                   {"busy"},
                   {"idle in the makespan"},
                   {"idle inside its span"},
                   {"in flight until I"},
                   {"until W"}});
  const std::size_t ranks = simulation.ranks.size();
  for (std::size_t r = 0; r < ranks; ++r) {
    if (left_out(r, ranks)) continue;
    const SimulatedRank& rank = simulation.ranks[r];
    std::string stages;
    for (std::size_t s = 0; s < plan.placement.size(); ++s)
      if (plan.placement[s] == static_cast<int>(r)) stages += (stages.empty() ? "" : " ") + std::to_string(s);
    const ScheduleLaw law = laws.empty() ? ScheduleLaw{} : laws[r];
    const int input = simulation.in_flight.until_input[r], weight = simulation.in_flight.until_weight[r];
    table.add({std::to_string(r), stages, number(rank.start) + " to " + number(rank.end), number(rank.busy),
               number(rank.idle_in_makespan(simulation.makespan)), number(rank.idle_in_span()),
               claimed(input, law.peak_in_flight, !laws.empty()),
               claimed(weight, law.peak_in_flight_until_weight, !laws.empty())},
              !laws.empty() && (input != law.peak_in_flight || weight != law.peak_in_flight_until_weight));
  }
  std::string text = table.text(style);
  if (ranks > most_rows) text += fmt::format("  ({} ranks between them left out)\n", ranks - most_rows);
  return text;
}

std::string links_table(const Simulation& simulation, TextStyle style) {
  TextTable table({{"from rank"}, {"to rank"}, {"messages"}, {"bytes"}});
  std::uint64_t bytes = 0, messages = 0;
  for (std::size_t i = 0; i < simulation.links.size(); ++i) {
    const SimulatedLink& link = simulation.links[i];
    bytes += link.bytes;
    messages += link.messages;
    if (left_out(i, simulation.links.size())) continue;
    table.add({std::to_string(link.from), std::to_string(link.to), thousands(link.messages), thousands(link.bytes)});
  }
  if (table.empty()) return {};
  return table.text(style) + fmt::format("  {} links: {} messages, {} bytes\n", simulation.links.size(),
                                         thousands(messages), thousands(bytes));
}

/// The path with the actions in a row on one rank as one: "rank 0 0F0..0F3".
std::string path_text(const Plan& plan, const Simulation& simulation) {
  const auto path = critical_path(plan, simulation);
  if (path.empty()) return {};
  const auto name = [&](const CriticalAction& c) {
    return text(plan.ranks[static_cast<std::size_t>(c.rank)].actions[c.index]);
  };
  double waited = 0;
  std::set<int> ranks;
  std::vector<std::string> turns;
  for (std::size_t begin = 0, end = 0; begin < path.size(); begin = end) {
    while (end < path.size() && path[end].rank == path[begin].rank) waited += path[end++].waited;
    ranks.insert(path[begin].rank);
    turns.push_back(fmt::format("rank {} {}{}", path[begin].rank, name(path[begin]),
                                end - begin == 1 ? "" : ".." + name(path[end - 1])));
  }
  std::string text = fmt::format("critical path: {} actions on {} ranks, {} in them and {} in messages\n  ",
                                 path.size(), ranks.size(), number(simulation.makespan - waited), number(waited));
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns.size() > most_turns && i == most_turns / 2) {
      i = turns.size() - most_turns / 2;
      text += fmt::format(", ... {} more", i - most_turns / 2);
    }
    text += (i == 0 ? "" : ", ") + turns[i];
  }
  return text + "\n";
}

/// Places from 1; equal values share one.
template <class Value>
std::string place(const std::vector<ComparedSchedule>& all, const ComparedSchedule& one, Value value) {
  const auto better = std::count_if(all.begin(), all.end(),
                                    [&](const ComparedSchedule& other) { return value(other) < value(one) - 1e-9; });
  return std::to_string(better + 1);
}

}  // namespace

std::string simulation_table(const Plan& plan, const Simulation& simulation, const std::vector<ScheduleLaw>& laws,
                             TextStyle style) {
  double idle = 0;
  for (const SimulatedRank& rank : simulation.ranks) idle += rank.idle_in_makespan(simulation.makespan);
  const double all = simulation.makespan * static_cast<double>(simulation.ranks.size());
  return fmt::format("makespan {}, {:.1f} % of it idle\n", number(simulation.makespan),
                     all > 0 ? 100 * idle / all : 0) +
         ranks_table(plan, simulation, laws, style) + links_table(simulation, style) + path_text(plan, simulation);
}

std::string comparison_table(std::vector<ComparedSchedule> schedules, const char* sent_unit, TextStyle style) {
  const auto time = [](const ComparedSchedule& s) { return s.makespan; };
  const auto memory = [](const ComparedSchedule& s) { return s.until_weight; };
  std::stable_sort(schedules.begin(), schedules.end(), [&](const ComparedSchedule& a, const ComparedSchedule& b) {
    return std::abs(a.makespan - b.makespan) > 1e-9 ? a.makespan < b.makespan : a.until_weight < b.until_weight;
  });
  TextTable table({{"schedule", Align::left},
                   {"chunks"},
                   {"makespan"},
                   {"by time"},
                   {"idle"},
                   {"in flight until I"},
                   {"until W"},
                   {"by memory"},
                   {std::string("sent ") + sent_unit},
                   {.name = "law", .align = Align::left, .hide_if_empty = true}});
  for (const ComparedSchedule& s : schedules)
    table.add(
        {s.name, std::to_string(s.chunks), number(s.makespan), place(schedules, s, time),
         fmt::format("{:.1f} %", s.makespan > 0 ? 100 * s.idle / s.makespan : 0), number(s.until_input),
         number(s.until_weight), place(schedules, s, memory), thousands(s.sent), s.law_failure.empty() ? "" : "wrong"},
        !s.law_failure.empty());
  return table.text(style);
}

}  // namespace shardbench
