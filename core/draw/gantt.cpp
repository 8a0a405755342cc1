#include "draw/gantt.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shardbench {
namespace {

constexpr std::size_t most_rows = 64;

}  // namespace

double Gantt::end() const {
  double last = 0;
  for (const Part& part : parts)
    for (const Row& row : part.rows)
      for (const Box& box : row.boxes) last = std::max(last, box.end);
  return last;
}

std::size_t Gantt::boxes() const {
  std::size_t sum = 0;
  for (const Part& part : parts)
    for (const Row& row : part.rows) sum += row.boxes.size();
  return sum;
}

Gantt::Part gantt_part(std::string title, const Plan& plan, const std::vector<std::vector<double>>& begins,
                       const std::vector<std::vector<double>>& ends, const std::vector<std::string>& notes) {
  std::vector<bool> second(plan.placement.size());
  std::vector<int> stages(plan.ranks.size());
  for (std::size_t s = 0; s < plan.placement.size(); ++s)
    second[s] = stages[static_cast<std::size_t>(plan.placement[s])]++ % 2 == 1;
  const std::size_t ranks = plan.ranks.size();
  Gantt::Part part{std::move(title), {}, ranks > most_rows ? ranks - most_rows : 0};
  for (std::size_t r = 0; r < ranks; ++r) {
    if (part.left_out > 0 && r == most_rows / 2) r += part.left_out;
    auto& row = part.rows.emplace_back(Gantt::Row{fmt::format("rank {}", r), notes[r], {}});
    for (std::size_t i = 0; i < plan.ranks[r].actions.size(); ++i) {
      const Action& a = plan.ranks[r].actions[i];
      row.boxes.push_back({begins[r][i], ends[r][i], a, second[static_cast<std::size_t>(a.stage)]});
    }
  }
  return part;
}

Gantt::Part gantt_part(std::string title, const Plan& plan, const Simulation& simulation) {
  auto ends = simulation.begins;
  std::vector<std::string> notes;
  for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
    for (std::size_t i = 0; i < ends[r].size(); ++i) ends[r][i] += simulation.takes(plan.ranks[r].actions[i]);
    const SimulatedRank& rank = simulation.ranks[r];
    notes.push_back(
        fmt::format("idle {:.4g}, {:.4g} inside", rank.idle_in_makespan(simulation.makespan), rank.idle_in_span()));
  }
  return gantt_part(std::move(title), plan, simulation.begins, ends, notes);
}

}  // namespace shardbench
