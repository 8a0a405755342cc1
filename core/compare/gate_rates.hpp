#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "compare/judge_times.hpp"

namespace shardbench {

/// The medians of one case's launches, round by round, three in a round: as it is, once more as it is, and with a
/// slowdown planted.
struct GateRounds {
  std::string id;
  LaunchMedians base, same, slower;
};

/// How often a gate was right about times.
struct GateRates {
  std::size_t comparisons = 0;   ///< of a case with itself, and as many with its slowed self
  std::size_t independent = 0;   ///< ... of them that share no launch
  std::size_t false_alarms = 0;  ///< "slower" of the same build, after the confirming re-run
  std::size_t false_praise = 0;  ///< "faster" of the same build, after the re-run
  std::size_t ambiguous = 0;     ///< of the same build, after the re-run
  std::size_t reruns = 0;        ///< of the same build, that the first look made suspects
  std::size_t found = 0;         ///< "slower" of the slowed build, after the re-run
  std::size_t suspected = 0;     ///< of the slowed build, that the first look made suspects
};

/// The most turns that a re-run can have in so many rounds: those of no block, up to what the rule allows.
int turns_in(std::size_t rounds, const TimeRule& rule);

/// Plays nights from recorded rounds, in the order in which they ran. The base is a block of `rule.launches` rounds in
/// a row; the newer results are a later such block, of the same build or of the slowed one; the turns of a confirming
/// re-run are the rounds after that, going on with the first where they end and without those of the two blocks. Every
/// pair of blocks is a comparison, so comparisons share launches; no launch is in two places of one comparison. Rounds
/// too few for the first `rule.confirming_launches` turns give none; where there are more, a re-run goes on with them.
GateRates gate_rates(const GateRounds& rounds, const TimeRule& rule);

/// Over cases.
GateRates& operator+=(GateRates& all, const GateRates& more);

}  // namespace shardbench
