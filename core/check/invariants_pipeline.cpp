#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include <utility>

#include "check/invariant_functions.hpp"
#include "law/plan.hpp"
#include "law/plan_text.hpp"

namespace shardbench::invariant {
namespace {

constexpr std::string_view until_input = "I (or B)", until_weight = "W (or B)";

/// The compute actions ("2F0") among executed ones.
std::vector<std::string> compute_texts(const std::vector<std::string>& executed) {
  std::vector<std::string> kept;
  for (const auto& action : executed)
    if (action.find("SEND") == std::string::npos && action.find("RECV") == std::string::npos) kept.push_back(action);
  return kept;
}

std::vector<std::string> compute_texts(const RankPlan& plan) {
  std::vector<std::string> texts;
  for (const auto& action : compute_only(plan.actions)) texts.push_back(text(action));
  return texts;
}

/// The number of this rank in a list with one per rank, or a reason why the invariant cannot be checked.
const int* of_rank(const std::vector<int>& per_rank, std::size_t rank, std::string_view what, Findings& findings) {
  if (rank < per_rank.size()) return &per_rank[rank];
  findings.not_run(fmt::format("{} covers {} ranks only", what, per_rank.size()));
  return nullptr;
}

}  // namespace

Finding executed_equals_plan(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t rank, Findings& findings) {
    const auto& plans = in.result.schedule.plan.ranks;
    if (rank >= plans.size()) return findings.not_run(fmt::format("the plan covers {} ranks only", plans.size()));
    const auto executed = compute_texts(r.executed), planned = compute_texts(plans[rank]);
    const auto [done, due] = std::mismatch(executed.begin(), executed.end(), planned.begin(), planned.end());
    if (done == executed.end() && due == planned.end()) return;
    const std::string ran = done == executed.end() ? "missing" : *done;
    const std::string wanted = due == planned.end() ? "nothing more" : *due;
    findings.fail(fmt::format("action {} is {}, but the plan says {} ({} actions ran, {} are planned)",
                              done - executed.begin() + 1, ran, wanted, executed.size(), planned.size()));
  });
}

Finding in_flight_equals_simulation(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t rank, Findings& findings) {
    const auto compare = [&](int executed, const std::vector<int>& simulation, std::string_view until) {
      const int* simulated = of_rank(simulation, rank, "the simulation", findings);
      if (simulated && executed != *simulated)
        findings.fail(
            fmt::format("{} microbatches in flight until {}, but the simulation has {}", executed, until, *simulated));
    };
    const auto& schedule = in.result.schedule;
    compare(r.executed_in_flight, schedule.simulated_in_flight, until_input);
    compare(r.executed_in_flight_until_weight, schedule.simulated_in_flight_until_weight, until_weight);
  });
}

Finding simulation_equals_law(const CheckInput& in) {
  Findings findings;
  const auto& schedule = in.result.schedule;
  const auto world = static_cast<std::size_t>(in.result.spec.world);
  const PeakInFlight simulated{schedule.simulated_in_flight, schedule.simulated_in_flight_until_weight};
  const PeakInFlight law{schedule.law_in_flight, schedule.law_in_flight_until_weight};
  const auto covers = [&](const PeakInFlight& peaks, std::string_view what) {
    const std::size_t ranks = std::min(peaks.until_input.size(), peaks.until_weight.size());
    if (ranks < world) findings.not_run(fmt::format("{} covers {} ranks only", what, ranks));
    return ranks >= world;
  };
  if (covers(simulated, "the simulation") && covers(law, "the law"))
    for (std::string& wrong : wrong_claims(simulated, law)) findings.fail(std::move(wrong));
  return findings.finding();
}

Finding activations_equal_law(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    if (r.activations_bytes != r.predicted_activations_bytes)
      findings.fail(differs("most activations alive between two actions:", r.activations_bytes, "bytes",
                            "the plan gives", r.predicted_activations_bytes));
  });
}

Finding saved_peak_equals_law(const CheckInput& in) {
  return each_rank(in, [](const RankReport& r, std::size_t, Findings& findings) {
    const auto compare = [&](std::string_view what, std::uint64_t measured, std::string_view unit, std::uint64_t law) {
      if (measured != law) findings.fail(differs(what, measured, unit, "the plan gives", law));
    };
    compare("most saved at once:", r.saved.peak, "tensors", r.predicted_saved_peak);
    compare("most saved at once:", r.saved.peak_bytes, "bytes", r.predicted_saved_peak_bytes);
    compare("saved in the step:", r.saved.saved, "tensors", r.predicted_saved_total);
  });
}

}  // namespace shardbench::invariant
