#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shardbench/law.hpp"
#include "shardbench/role.hpp"
#include "shardbench/wire.hpp"

/// What ranks tell the driver. Plain data; `control/json.hpp` gives its form on the wire.

namespace shardbench {

/// The saved-tensor instrument over one audit step.
struct SavedTensors {
  std::uint64_t peak = 0;        ///< most alive at once, parameters and repeats included (the notebook's count)
  std::uint64_t peak_bytes = 0;  ///< most bytes alive at once, the same way
  std::uint64_t saved = 0;       ///< all saves
  std::uint64_t consumed = 0;    ///< all first uses
  std::uint64_t saved_before_first_use = 0;
  std::uint64_t unique_peak_bytes = 0;  ///< most bytes in distinct storages that are not parameters
  std::uint64_t alive_after = 0;        ///< still held when the step was over
};

/// The allocator over one audit step.
struct Peak {
  std::uint64_t bytes = 0;  ///< most bytes alive at once
  RoleBytes by_role{};      ///< what they were
  std::string moment;       ///< what the step was doing, e.g. "backward of unit 3"
};

/// One phase of the audit step: most bytes alive in it, by role.
struct PhasePeak {
  std::string phase;    ///< "forward unit 0", "loss", "backward unit 0", "update"
  RoleBytes by_role{};  ///< at the phase's own peak
};

/// Where a rank's numbers are farthest from the single-process reference.
struct Difference {
  bool compared = false;
  double max_abs = 0;              ///< infinite where a number is not finite and the reference's is
  double max_tolerated_ratio = 0;  ///< largest |difference| / bound over elements; at most 1 is within the bounds
  bool bitwise = false;            ///< every element has the same bits
  std::string where;               ///< "layer3.weight[17]" of the largest difference
  /// Every number that differs is that of a known mistake; 0: of none. Gradients: 1, of this rank's own rows.
  /// Parameters: 1, of before the last update; 2, of before the first.
  int known_mistake = 0;
  double multiple = 0;  ///< all numbers are this many times the reference's; 0: they have no such factor
  bool exact = true;    ///< every bit is demanded; else the bounds that the order of additions leaves (docs/laws.md)
  int step = 0;         ///< the checked step that they are of, from 1

  /// The numbers are what they should be.
  bool equal() const { return compared && (bitwise || (!exact && max_tolerated_ratio <= 1)); }
};

/// The first number of a run that is infinite or not a number.
struct NotFinite {
  int step = 0;       ///< checked step, from 1
  std::string where;  ///< "the loss", "the gradient of layer3.weight[17]", "layer3.weight[17]"
  std::string value;  ///< "inf", "-inf" or "nan"
};

/// What calls of a collective left in a rank's buffers. Calls count from 1.
struct BufferCheck {
  std::uint64_t checked_elements = 0;     ///< of results
  std::uint64_t wrong_elements = 0;       ///< ... that are not the closed form's
  std::string first_wrong;                ///< "output[17] of call 1: got 3, wanted 5"
  std::uint64_t input_elements = 0;       ///< of inputs that the operation has to leave as they were
  std::uint64_t changed_elements = 0;     ///< ... that it did not
  std::string first_changed;              ///< like first_wrong
  std::uint64_t guard_bytes_written = 0;  ///< of the bands before and after the buffers
  std::string first_guard;                ///< "3 bytes after output, call 1"
  std::uint64_t mismatched_messages = 0;  ///< receives that got another message than theirs
  std::string first_mismatched;           ///< "receive 1 (tag 2) of call 1: got message 0 (tag 1) of rank 0"
  /// Rounded sums: digests of the result, by the set of values that was summed.
  std::vector<std::uint64_t> sum_digests;
  std::uint64_t changed_sums = 0;  ///< calls whose result has other bits than an earlier one of the same values
  std::string first_changed_sum;   ///< "call 3 has other bits than call 1"
  /// Barrier: nanoseconds of the machine's steady clock at which this rank entered and left each checked call.
  std::vector<std::array<std::int64_t, 2>> barrier_ns;
};

/// Memory of the process beside what ATen's allocator counts, as malloc counts it, in bytes. Differences may be below
/// 0.
struct HeapReport {
  std::int64_t at_rest = 0;       ///< after the checked steps, above what was there before the strategy or the stages
  std::int64_t step_growth = 0;   ///< over the audit step
  std::int64_t step_peak = 0;     ///< most at the start of a phase of the audit step, above what was there before it
  std::int64_t timed_growth = 0;  ///< over the timed part
  std::int64_t anonymous_growth = 0;  ///< likewise, of the process's resident private pages (RssAnon)
  std::int64_t held = 0;              ///< given back by the strategy when it was destroyed at the end (training)
};

/// A rank's steps after the audit (warm-up, timed and traced ones), seen from outside the clock when they are over.
struct TimedPart {
  std::uint64_t steps = 0;
  Traffic traffic;                             ///< of all of them; the barriers before the clock starts are not counted
  std::optional<std::uint64_t> bytes_on_wire;  ///< likewise, counted by the backend
  std::uint64_t alive_before = 0, alive_after = 0;  ///< allocator's live bytes before the first and after the last
  std::vector<double> optimizer_steps;              ///< as in RankReport, after the last
  std::uint64_t parameters_hash = 0;  ///< of all parameters (training), of the rank's stages (pipeline), after the last
  Difference parameters_difference;   ///< from the reference, which went on for as many steps
  std::optional<NotFinite> not_finite, reference_not_finite;  ///< a parameter after the last; the reference's first
};

/// Everything a rank reports about one launch of a case, but for the timed samples.
struct RankReport {
  int rank = 0;
  // At rest, after the checked steps.
  std::uint64_t weights_bytes = 0, gradients_bytes = 0, optimizer_bytes = 0;  ///< by holdings()
  std::uint64_t held_storage_bytes = 0;  ///< of the distinct storages behind the holdings
  RoleBytes live_at_rest{};              ///< by the allocator
  // Audit step.
  Peak peak;
  std::vector<PhasePeak> phases;
  SavedTensors saved;
  std::uint64_t alive_before_step = 0, alive_after_step = 0;  ///< allocator's live bytes around the audit step
  Traffic traffic;                                            ///< of the audit step
  std::optional<std::uint64_t> bytes_on_wire;                 ///< counted by the backend over the audit step
  WireClaim wire_claim;                                       ///< by the algorithms it names, over the audit step
  // Correctness.
  std::vector<double> losses;  ///< per checked step, of this rank's rows (training), of the batch (pipeline,
                               ///< last stage; others empty)
  std::vector<std::uint64_t> rows_hashes;            ///< of the rows it trained on, per checked step
  std::vector<std::uint64_t> reference_rows_hashes;  ///< of the rows that the reference gives this rank (training)
  std::vector<double> optimizer_steps;  ///< the distinct values of the optimizer's `step` tensors, ascending, after
                                        ///< the checked steps (training)
  std::uint64_t parameters_hash = 0;    ///< of all parameters after gathering (training)
  /// Of the last checked step, but of the first one's gradients where those are wrong.
  Difference loss_difference, parameters_difference, gradients_difference;
  std::optional<NotFinite> not_finite, reference_not_finite;  ///< in the checked steps
  /// A gradient of this case that the reference did not take over, since no order of additions gives it; or empty.
  std::string refused_gradient;
  /// Elements [begin, end) of all parameters end to end whose averaged gradients this rank showed (training).
  std::vector<std::array<std::uint64_t, 2>> gradient_pieces;
  // Claimed.
  Law law;                                 ///< training; pipeline: at rest and peak, its traffic is the plan's
  std::uint64_t predicted_saved_peak = 0;  ///< pipeline: by the simulated plan
  std::uint64_t predicted_saved_peak_bytes = 0;
  std::uint64_t predicted_saved_total = 0;
  std::uint64_t predicted_activations_bytes = 0;
  std::uint64_t activations_bytes = 0;      ///< pipeline: most bytes of activations alive between two actions
  int executed_in_flight = 0;               ///< pipeline: most microbatches in flight until their I (or B)
  int executed_in_flight_until_weight = 0;  ///< ... until their W (or B)
  std::vector<std::string> executed;        ///< pipeline: actions in the order they ran ("2F0")
  BufferCheck buffers;                      ///< collective: of the checked calls
  BufferCheck timed_buffers;                ///< collective: of the timed calls
  std::string algorithm;                    ///< collective: what the backend uses for the case's operation and size
  TimedPart timed;
  // Environment.
  HeapReport heap;
  std::uint64_t vm_hwm_bytes = 0;
  std::map<std::string, std::string> backend;  ///< library, version, transport, wait_mode, details
};

/// Seconds of one microbatch on one stage, by kind of action: the mean over the microbatches of a step.
struct StageTime {
  int stage = 0;
  double forward = 0, backward = 0, input = 0, weight = 0;  ///< F, B, I, W
};

/// One timed step on one rank, in seconds. Phases need not add up to `step`.
struct StepTime {
  double step = 0;
  double forward = 0, backward = 0, communication = 0, update = 0;
  double idle = 0;                     ///< pipeline: neither computing nor updating
  std::vector<StageTime> stages = {};  ///< pipeline: those of this rank
};

/// Something that a rank did, on the clock that all processes of a machine share (CLOCK_MONOTONIC), in seconds.
struct Span {
  std::string name;  ///< "0F3"
  double start = 0, end = 0;
};

/// One timed step over all ranks.
struct Sample {
  double seconds = 0;           ///< maximum over ranks
  std::vector<StepTime> ranks;  ///< one per rank
};

/// One start of the ranks.
struct Launch {
  std::vector<RankReport> ranks;
  std::string rejected_by = {};  ///< the invariant for which its samples are not step times; empty: they are
  std::vector<Sample> samples;
  std::vector<std::vector<Span>> traces;  ///< pipeline: one more step, by rank
};

}  // namespace shardbench
