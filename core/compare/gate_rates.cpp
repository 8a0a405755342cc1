#include "compare/gate_rates.hpp"

#include <algorithm>
#include <cstddef>

namespace shardbench {
namespace {

LaunchMedians picked(const LaunchMedians& rounds, const std::vector<std::size_t>& which) {
  LaunchMedians medians;
  for (const std::size_t i : which) medians.push_back(rounds.at(i));
  return medians;
}

/// Rounds of one comparison.
struct Night {
  std::vector<std::size_t> base, next, turns;
};

Night night_of(std::size_t base, std::size_t next, std::size_t rounds, const TimeRule& rule) {
  const auto count = static_cast<std::size_t>(rule.launches);
  Night night;
  for (std::size_t i = 0; i < count; ++i) {
    night.base.push_back(base + i);
    night.next.push_back(next + i);
  }
  const auto most = static_cast<std::size_t>(turns_in(rounds, rule));
  for (std::size_t i = next + count; night.turns.size() < most; ++i) {
    const std::size_t round = i % rounds;
    if ((round < base || round >= base + count) && (round < next || round >= next + count))
      night.turns.push_back(round);
  }
  return night;
}

struct Judged {
  bool suspected = false;  ///< by the first look
  Change change = Change::ambiguous;
};

/// `next_rounds` are those of the build that is judged.
Judged judge(const LaunchMedians& base_rounds, const LaunchMedians& next_rounds, const Night& night,
             const TimeRule& rule) {
  const auto before = picked(base_rounds, night.base), now = picked(next_rounds, night.next);
  TimeJudgement j = judge_times(before, now, rule);
  const bool suspected = j.worth_rerun;
  std::vector<std::size_t> turns;
  while (j.worth_rerun && turns.size() < night.turns.size()) {
    const std::size_t more =
        std::min(static_cast<std::size_t>(rule.confirming_launches), night.turns.size() - turns.size());
    const auto from = night.turns.begin() + static_cast<std::ptrdiff_t>(turns.size());
    turns.insert(turns.end(), from, from + static_cast<std::ptrdiff_t>(more));
    j = confirm_times(before, now, picked(base_rounds, turns), picked(next_rounds, turns), rule);
  }
  return {suspected, j.change};
}

}  // namespace

int turns_in(std::size_t rounds, const TimeRule& rule) {
  return std::clamp(static_cast<int>(rounds) - 2 * rule.launches, 0, rule.most_confirming_launches);
}

GateRates gate_rates(const GateRounds& rounds, const TimeRule& rule) {
  GateRates rates;
  const auto count = static_cast<std::size_t>(rule.launches);
  const std::size_t all = std::min({rounds.base.size(), rounds.same.size(), rounds.slower.size()});
  const auto needed = [&](int turns) { return 2 * count + static_cast<std::size_t>(turns); };
  if (all < needed(rule.confirming_launches)) return rates;
  rates.independent = std::max<std::size_t>(1, all / needed(rule.most_confirming_launches));
  for (std::size_t next = count; next + count <= all; ++next)
    for (std::size_t base = 0; base + count <= next; ++base) {
      const Night night = night_of(base, next, all, rule);
      ++rates.comparisons;
      const Judged same = judge(rounds.base, rounds.same, night, rule);
      rates.false_alarms += same.change == Change::larger;
      rates.false_praise += same.change == Change::smaller;
      rates.ambiguous += same.change == Change::ambiguous || same.change == Change::suspect;
      rates.reruns += same.suspected;
      const Judged slower = judge(rounds.base, rounds.slower, night, rule);
      rates.suspected += slower.suspected;
      rates.found += slower.change == Change::larger;
    }
  return rates;
}

GateRates& operator+=(GateRates& all, const GateRates& more) {
  all.comparisons += more.comparisons;
  all.independent += more.independent;
  all.false_alarms += more.false_alarms;
  all.false_praise += more.false_praise;
  all.ambiguous += more.ambiguous;
  all.reruns += more.reruns;
  all.found += more.found;
  all.suspected += more.suspected;
  return all;
}

}  // namespace shardbench
