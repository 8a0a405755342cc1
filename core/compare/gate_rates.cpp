#include "compare/gate_rates.hpp"

#include <algorithm>

namespace shardbench {
namespace {

LaunchMedians block(const LaunchMedians& rounds, std::size_t begin, std::size_t count, std::size_t step) {
  LaunchMedians medians;
  for (std::size_t i = 0; i < count; ++i) medians.push_back(rounds.at(begin + i * step));
  return medians;
}

struct Night {
  TimeJudgement alone, confirmed;
};

/// `next_rounds` are those of the build that is judged.
Night play(const LaunchMedians& base_rounds, const LaunchMedians& next_rounds, std::size_t base, std::size_t next,
           const TimeRule& rule) {
  const auto count = static_cast<std::size_t>(rule.launches);
  const auto before = block(base_rounds, base, count, 1), now = block(next_rounds, next, count, 1);
  Night night;
  night.alone = night.confirmed = judge_times(before, now, rule);
  if (night.alone.suspect)
    night.confirmed = confirm_times(before, now, block(base_rounds, next + count, count, 2),
                                    block(next_rounds, next + count + 1, count, 2), rule);
  return night;
}

}  // namespace

GateRates gate_rates(const GateRounds& rounds, const TimeRule& rule) {
  GateRates rates;
  const auto count = static_cast<std::size_t>(rule.launches);
  const std::size_t all = std::min(rounds.same.size(), rounds.slower.size());
  rates.independent = all / (4 * count);
  for (std::size_t next = count; next + 3 * count <= all; ++next)
    for (std::size_t base = 0; base + count <= next; ++base) {
      ++rates.comparisons;
      const Night same = play(rounds.same, rounds.same, base, next, rule);
      rates.false_alarms_alone += same.alone.change == Change::larger;
      rates.false_alarms += same.confirmed.change == Change::larger;
      rates.false_praise += same.confirmed.change == Change::smaller;
      rates.ambiguous += same.confirmed.change == Change::ambiguous;
      const Night slower = play(rounds.same, rounds.slower, base, next, rule);
      rates.found_alone += slower.alone.change == Change::larger;
      rates.found += slower.confirmed.change == Change::larger;
    }
  return rates;
}

GateRates& operator+=(GateRates& all, const GateRates& more) {
  all.comparisons += more.comparisons;
  all.independent += more.independent;
  all.false_alarms += more.false_alarms;
  all.false_alarms_alone += more.false_alarms_alone;
  all.false_praise += more.false_praise;
  all.ambiguous += more.ambiguous;
  all.found += more.found;
  all.found_alone += more.found_alone;
  return all;
}

}  // namespace shardbench
