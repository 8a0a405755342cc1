#include "check/check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>

#include "check/invariant_functions.hpp"
#include "result/quantities.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

struct Invariant {
  InvariantInfo info;
  Finding (*check)(const CheckInput&);
  bool (*of)(const Case&) = nullptr;  ///< of a collective; null: of every case of its programs
};

bool is_barrier(const Case& c) { return c.operation == Collective::barrier; }

bool has_arrays(const Case& c) { return has_array(*c.operation); }

bool has_messages(const Case& c) { return exchanges(*c.operation); }

bool rounds(const Case& c) { return c.values == Values::rounding; }

bool only_reads(const Case& c) {
  return (c.operation == Collective::all_gather && !c.in_place) || c.operation == Collective::all_to_all ||
         needs_a_peer(*c.operation);
}

bool is_about(const Invariant& invariant, const Case& spec) {
  return contains(invariant.info.programs, spec.program) &&
         (invariant.of == nullptr || (spec.operation && invariant.of(spec)));
}

constexpr auto each_rank_scope = "each rank";
constexpr auto drift_tolerance =
    "every bit (pipeline, and training of up to 2 ranks); else as far as rounding can lead (docs/laws.md)";
constexpr auto gradient_tolerance =
    "every bit (pipeline, and training of up to 2 ranks); else what another order of additions can do (docs/laws.md)";

constexpr auto heap_held_tolerance = "32 KiB, and 4 KiB for each parameter tensor";
constexpr auto heap_growth_tolerance = "256 KiB";

const std::vector<Invariant>& table() {
  using namespace invariant;
  static const std::vector<Invariant> all = {
      {{"finite", Programs::both, each_rank_scope, "exact",
        "losses, gradients and parameters of the checked steps are finite numbers; where the reference's are not "
        "either, the training diverges, which a suite may expect (`expect`)"},
       finite},
      {{"own_rows", Programs::training, "all ranks of a launch", "exact",
        "in every checked step each rank trained on the rows that the reference gives it, and no other rank did"},
       own_rows},
      {{"gradients_averaged", Programs::training, "all ranks of a launch", "0.1 % on a factor",
        "gradients that differ from the reference are neither those of a rank's own rows nor all the same multiple of "
        "the average: they were summed over the ranks and divided by their number, once"},
       gradients_averaged},
      {{"gradients_cover_parameters", Programs::training, "all ranks of a launch", "exact",
        "the gradients that the ranks showed are of every element of every parameter: none was left out of the "
        "comparison"},
       gradients_cover_parameters},
      {{"gradients_equal_reference", Programs::both, each_rank_scope, gradient_tolerance,
        "gradients are those of the same model and batch in one process: they were really averaged or accumulated"},
       gradients_equal_reference},
      {{"loss_equals_reference", Programs::both, "each rank that has a loss", "every bit",
        "losses are those of the same model and batch in one process"},
       loss_equals_reference},
      {{"parameters_equal_reference", Programs::both, each_rank_scope, "every bit",
        "parameters after the checked steps are those of the same training in one process"},
       parameters_equal_reference},
      {{"optimizer_steps", Programs::training, each_rank_scope, "exact",
        "every `step` of the optimizer's state counts the checked steps: no rank skipped or repeated an update"},
       optimizer_steps},
      {{"same_parameters", Programs::training, "all ranks of a launch", "exact",
        "after gathering, every rank has the same bits in every parameter"},
       same_parameters},
      {{"rest_equals_law", Programs::both, each_rank_scope, "exact",
        "weights, gradients and optimizer bytes between steps are what the law says"},
       rest_equals_law},
      {{"equal_totals", Programs::training, "all ranks of a launch", "exact",
        "every rank holds as many bytes as the others, where the law says so"},
       equal_totals},
      {{"holdings_equal_allocator", Programs::both, each_rank_scope, "exact",
        "what the program says it holds is what the allocator has alive, in total and by role: no tensor is hidden or "
        "forgotten"},
       holdings_equal_allocator},
      {{"peak_within_law", Programs::both, each_rank_scope, "exact",
        "the step never has more bytes alive than the law allows"},
       peak_within_law},
      {{"peak_close_to_law", Programs::both, each_rank_scope, "1 % below",
        "the law's peak is really reached: it is a prediction, not a bound that is always met"},
       peak_close_to_law},
      {{"step_leaves_nothing", Programs::all, each_rank_scope, "exact",
        "as many bytes are alive after a step as before it: nothing leaks"},
       step_leaves_nothing},
      {{"saved_equals_consumed", Programs::both, each_rank_scope, "exact",
        "every tensor saved for backward was used by it: no graph was built and dropped"},
       saved_equals_consumed},
      {{"saved_released", Programs::both, each_rank_scope, "exact", "no saved tensor is alive after the step"},
       saved_released},
      {{"sent_equals_law", Programs::all, each_rank_scope, "exact",
        "calls and bytes sent, operation by operation, are what the strategy's law, the schedule's plan or the "
        "operation's "
        "law says"},
       sent_equals_law},
      {{"wire_equals_sent", Programs::all, each_rank_scope, "exact",
        "the bytes the backend handed to its transport are, call by call, those of the algorithm that it names for the "
        "operation, size and world; not run for an algorithm without a law"},
       wire_equals_sent},
      {{"sent_equals_received", Programs::all, "all ranks of a launch", "exact",
        "what all ranks together sent, all ranks together received"},
       sent_equals_received},
      {{"executed_equals_plan", Programs::pipeline, each_rank_scope, "exact",
        "the rank computed what the schedule's plan says, in that order"},
       executed_equals_plan},
      {{"in_flight_equals_simulation", Programs::pipeline, each_rank_scope, "exact",
        "the most microbatches in flight, until I (or B) and until W (or B), are those of the simulated plan"},
       in_flight_equals_simulation},
      {{"simulation_equals_law", Programs::pipeline, each_rank_scope, "exact",
        "the simulated plan has the microbatches in flight that the schedule's law claims, until I and until W"},
       simulation_equals_law},
      {{"saved_peak_equals_law", Programs::pipeline, each_rank_scope, "exact",
        "saved tensors, at most and in total, and their bytes are those of the simulated plan"},
       saved_peak_equals_law},
      {{"activations_equal_law", Programs::pipeline, each_rank_scope, "exact",
        "the most bytes of activations alive between two actions are those of the plan: saved for I and W, received, "
        "not yet sent"},
       activations_equal_law},
      {{"elements_right", Programs::collective, "all ranks of a launch", "exact",
        "every element of the checked calls is the closed form's, to the bit: the inputs differ by rank and their sums "
        "are exact in any order. Sums that round are within (n-1) u times the sum of magnitudes of the exact ones"},
       elements_right,
       has_arrays},
      {{"inputs_unchanged", Programs::collective, "all ranks of a launch", "exact",
        "an input that the operation only reads (all_gather out of place, all_to_all, messages) has its values "
        "afterwards"},
       inputs_unchanged,
       only_reads},
      {{"guard_bands_intact", Programs::collective, each_rank_scope, "exact",
        "nothing is written outside of the arrays: the 4096 bytes before and after each are as they were"},
       guard_bands_intact,
       has_arrays},
      {{"barrier_waits", Programs::collective, "all ranks of a launch", "exact",
        "no rank leaves a barrier before the last one has entered it; in each checked one another rank comes late"},
       barrier_waits,
       is_barrier},
      {{"messages_matched", Programs::collective, each_rank_scope, "exact",
        "each receive gets the message of its peer and tag, those of one tag in the order in which they were sent"},
       messages_matched,
       has_messages},
      {{"same_sums", Programs::collective, "all ranks of a launch", "exact",
        "a sum whose result depends on the order of additions (values = \"rounding\") has the same bits on every rank "
        "and "
        "in every repetition"},
       same_sums,
       rounds},
      {{"timed_calls_right", Programs::collective, "all ranks of a launch", "exact",
        "the result of every timed call is right too, and after the last one the inputs and the guard bands are as "
        "they "
        "were; a barrier waits after the timed ones as before them"},
       timed_calls_right},
      {{"timed_sent_equals_law", Programs::all, each_rank_scope, "exact",
        "calls and bytes sent in all steps after the audit (warm-up, timed, traced) are those of the law or the plan, "
        "times the steps"},
       timed_sent_equals_law},
      {{"timed_wire_equals_audit", Programs::all, each_rank_scope, "exact",
        "in these steps the backend handed as many bytes to its transport as in the audit step, times the steps"},
       timed_wire_equals_audit},
      {{"timed_sent_equals_received", Programs::all, "all ranks of a launch", "exact",
        "what all ranks together sent in these steps, all ranks together received"},
       timed_sent_equals_received},
      {{"timed_steps_leave_nothing", Programs::all, each_rank_scope, "exact",
        "as many bytes are alive after these steps as before them"},
       timed_steps_leave_nothing},
      {{"timed_optimizer_steps", Programs::both, each_rank_scope, "exact",
        "every `step` of the optimizer's state counts the checked steps, the audit step and the steps after it"},
       timed_optimizer_steps},
      {{"timed_same_parameters", Programs::both, "all ranks of a launch (training), all launches", "exact",
        "after the last step every rank has the same bits in every parameter (training), and so has every launch with "
        "as many steps"},
       timed_same_parameters},
      {{"timed_finite", Programs::both, each_rank_scope, "exact",
        "parameters after the last step are finite numbers, unless the reference's are not either and the suite "
        "expects "
        "it"},
       timed_finite},
      {{"timed_parameters_equal_reference", Programs::both, each_rank_scope, drift_tolerance,
        "parameters after the last step are those of the same training in one process, gone on for as many steps"},
       timed_parameters_equal_reference},
      {{"heap_held", Programs::training, each_rank_scope, heap_held_tolerance,
        "what the strategy keeps outside ATen's allocator, and gives back when it is destroyed, is no more than its "
        "objects"},
       heap_held},
      {{"step_leaves_heap", Programs::all, each_rank_scope, heap_growth_tolerance,
        "the audit step leaves nothing outside ATen's allocator either"},
       step_leaves_heap},
      {{"timed_steps_leave_heap", Programs::all, each_rank_scope, heap_growth_tolerance,
        "nor do all steps after the audit together"},
       timed_steps_leave_heap},
      {{"same_over_launches", Programs::all, "all launches", "exact",
        "everything that instruments count is the same in every launch"},
       same_over_launches},
      {{"backends_agree", Programs::both, "cases that differ in the backend alone",
        "counts and the first loss exact; all losses and parameters every bit (pipeline, and training of up to 2 "
        "ranks)",
        "the same work gives the same numbers whatever moves the data: bytes, calls and volume, losses, parameters"},
       backends_agree},
      {{"reference_file", Programs::all, "each rank that a number is about", "exact",
        "every number that the suite's reference file gives for the case is met"},
       reference_file},
  };
  return all;
}

/// What a launch has to be right in for its samples to count: where one of these fails, the steps did other work than
/// they should have, and their time says nothing.
constexpr std::string_view needed_for_times[] = {"finite",
                                                 "sent_equals_law",
                                                 "same_parameters",
                                                 "loss_equals_reference",
                                                 "gradients_averaged",
                                                 "gradients_cover_parameters",
                                                 "gradients_equal_reference",
                                                 "finite",
                                                 "parameters_equal_reference",
                                                 "optimizer_steps",
                                                 "own_rows",
                                                 "executed_equals_plan",
                                                 "elements_right",
                                                 "inputs_unchanged",
                                                 "guard_bands_intact",
                                                 "barrier_waits",
                                                 "messages_matched",
                                                 "same_sums",
                                                 "timed_calls_right",
                                                 "timed_sent_equals_law",
                                                 "timed_wire_equals_audit",
                                                 "timed_sent_equals_received",
                                                 "timed_steps_leave_nothing",
                                                 "timed_optimizer_steps",
                                                 "timed_same_parameters",
                                                 "timed_finite",
                                                 "timed_parameters_equal_reference",
                                                 "timed_steps_leave_heap"};

/// Why nothing of a case can be checked, or empty.
std::string unchecked(const CaseResult& result) {
  switch (result.status) {
    case Status::crashed: return "the case crashed";
    case Status::timeout: return "the case ran out of time";
    case Status::skipped: return result.has_report() ? "" : "the case was skipped";
    case Status::ok:
    case Status::failed: return "";
  }
  return "";
}

void require_every_report(const CaseResult& result) {
  const auto world = static_cast<std::size_t>(result.spec.world);
  if (result.launches.empty())
    throw Error("the case has no launch, but its status is " + name_of(result.status), result.spec.id);
  for (std::size_t launch = 0; launch < result.launches.size(); ++launch)
    if (result.launches[launch].ranks.size() != world)
      throw Error(fmt::format("launch {} has the reports of {} ranks, but world is {}", launch + 1,
                              result.launches[launch].ranks.size(), world),
                  result.spec.id);
}

}  // namespace

bool contains(Programs programs, Program program) {
  const auto bit = program == Program::training   ? Programs::training
                   : program == Program::pipeline ? Programs::pipeline
                                                  : Programs::collective;
  return (static_cast<unsigned>(programs) & static_cast<unsigned>(bit)) != 0;
}

const std::vector<InvariantInfo>& invariants() {
  static const std::vector<InvariantInfo> infos = [] {
    std::vector<InvariantInfo> list;
    for (const auto& invariant : table()) list.push_back(invariant.info);
    return list;
  }();
  return infos;
}

namespace {

/// Calls `see(info, finding)` for each invariant that is about the case, in order.
template <class See>
void examine(const CheckInput& in, See see) {
  const std::string reason = unchecked(in.result);
  if (reason.empty()) require_every_report(in.result);
  for (const auto& invariant : table())
    if (is_about(invariant, in.result.spec))
      see(invariant.info, reason.empty() ? invariant.check(in) : Finding{Verdict::not_run, reason});
}

InvariantOutcome outcome_of(const InvariantInfo& info, Finding finding) {
  return {std::string(info.name), finding.verdict, std::move(finding.message)};
}

}  // namespace

bool is_needed_for_times(std::string_view invariant) {
  return std::find(std::begin(needed_for_times), std::end(needed_for_times), invariant) != std::end(needed_for_times);
}

std::vector<InvariantOutcome> check_case(const CaseResult& result, const Suite& suite,
                                         std::span<const CaseResult* const> other_backends) {
  std::vector<InvariantOutcome> outcomes;
  examine({result, suite, other_backends}, [&](const InvariantInfo& info, Finding finding) {
    outcomes.push_back(outcome_of(info, std::move(finding)));
  });
  return outcomes;
}

void judge(CaseResult& result, const Suite& suite, std::span<const CaseResult* const> other_backends) {
  std::vector<InvariantOutcome> outcomes;
  std::vector<std::string> rejected(result.launches.size());
  examine({result, suite, other_backends}, [&](const InvariantInfo& info, Finding finding) {
    if (is_needed_for_times(info.name))
      for (const std::size_t launch : finding.launches)
        if (rejected[launch].empty()) rejected[launch] = info.name;
    outcomes.push_back(outcome_of(info, std::move(finding)));
  });
  result.invariants = std::move(outcomes);
  for (std::size_t launch = 0; launch < rejected.size(); ++launch)
    result.launches[launch].rejected_by = std::move(rejected[launch]);
  const bool failed = count_of(result, Verdict::failed) > 0;
  if (failed && result.status == Status::ok) result.status = Status::failed;
}

}  // namespace shardbench
