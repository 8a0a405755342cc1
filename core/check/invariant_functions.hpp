#pragma once
#include "check/finding.hpp"

/// One function per invariant; `invariants()` says what each means. They are given cases of their programs alone, with
/// a report of every rank in every launch.

namespace shardbench::invariant {

// Memory.
Finding rest_equals_law(const CheckInput& in);
Finding equal_totals(const CheckInput& in);
Finding holdings_equal_allocator(const CheckInput& in);
Finding peak_within_law(const CheckInput& in);
Finding peak_close_to_law(const CheckInput& in);
Finding step_leaves_nothing(const CheckInput& in);
Finding saved_equals_consumed(const CheckInput& in);
Finding saved_released(const CheckInput& in);

// Bytes sent.
/// Calls and bytes sent, operation by operation. `says`: whose the prediction is, "the law says".
void compare_traffic(const Traffic& measured, const Traffic& predicted, std::string_view says, Findings& findings);
/// Of one step, by the law or the schedule's plan; null, and a reason, where there is none.
const Traffic* predicted_traffic(const CheckInput& in, const RankReport& r, std::size_t rank, Findings& findings);
Finding sent_equals_law(const CheckInput& in);
Finding wire_equals_sent(const CheckInput& in);
Finding sent_equals_received(const CheckInput& in);

// Correctness.
/// Whether a number that is not finite came up in a rank and in the reference: what is compared afterwards says
/// nothing.
bool diverges(const CheckInput& in);
Finding finite(const CheckInput& in);
Finding same_parameters(const CheckInput& in);
Finding loss_equals_reference(const CheckInput& in);
Finding gradients_averaged(const CheckInput& in);
Finding gradients_cover_parameters(const CheckInput& in);
Finding gradients_equal_reference(const CheckInput& in);
/// The optimizer's `step` tensors have counted the steps that were made.
void require_optimizer_steps(const CheckInput& in, const RankReport& r, const std::vector<double>& counted,
                             std::uint64_t made, Findings& findings);
Finding optimizer_steps(const CheckInput& in);
Finding parameters_equal_reference(const CheckInput& in);
Finding own_rows(const CheckInput& in);

// Pipeline.
Finding executed_equals_plan(const CheckInput& in);
Finding in_flight_equals_simulation(const CheckInput& in);
Finding simulation_equals_law(const CheckInput& in);
Finding saved_peak_equals_law(const CheckInput& in);
Finding activations_equal_law(const CheckInput& in);

// Collective.
Finding elements_right(const CheckInput& in);
Finding inputs_unchanged(const CheckInput& in);
Finding guard_bands_intact(const CheckInput& in);
Finding barrier_waits(const CheckInput& in);
Finding messages_matched(const CheckInput& in);
Finding same_sums(const CheckInput& in);
Finding timed_calls_right(const CheckInput& in);

// Of the steps after the audit.
Finding timed_sent_equals_law(const CheckInput& in);
Finding timed_wire_equals_audit(const CheckInput& in);
Finding timed_sent_equals_received(const CheckInput& in);
Finding timed_steps_leave_nothing(const CheckInput& in);
Finding timed_optimizer_steps(const CheckInput& in);
Finding timed_same_parameters(const CheckInput& in);
Finding timed_finite(const CheckInput& in);
Finding timed_parameters_equal_reference(const CheckInput& in);

// Outside ATen's allocator.
Finding heap_held(const CheckInput& in);
Finding step_leaves_heap(const CheckInput& in);
Finding timed_steps_leave_heap(const CheckInput& in);

// Over launches and backends, and against known numbers.
Finding same_over_launches(const CheckInput& in);
Finding backends_agree(const CheckInput& in);
Finding reference_file(const CheckInput& in);

}  // namespace shardbench::invariant
