#include "rank/observe.hpp"

#include <set>

namespace shardbench {

void report_holdings(const Holdings& holdings, RankReport& report) {
  report.weights_bytes = report.gradients_bytes = report.optimizer_bytes = report.held_storage_bytes = 0;
  std::set<const void*> storages;
  for (const Holding& h : holdings) {
    const auto bytes = static_cast<std::uint64_t>(h.tensor.numel()) * h.tensor.element_size();
    if (h.role == Role::weights)
      report.weights_bytes += bytes;
    else if (h.role == Role::gradients)
      report.gradients_bytes += bytes;
    else if (h.role == Role::optimizer)
      report.optimizer_bytes += bytes;
    else
      throw Error("holding '" + h.name + "' has role " + std::string(name_of(h.role)) +
                  ", but only weights, gradients and optimizer are kept between steps");
    tag(h.tensor, h.role);
    if (storages.insert(h.tensor.storage().unsafeGetStorageImpl()).second)
      report.held_storage_bytes += storage_bytes(h.tensor);
  }
  report.live_at_rest = measure::live_bytes();
}

std::vector<double> optimizer_steps(const Holdings& holdings) {
  std::set<double> steps;
  for (const Holding& h : holdings)
    if (h.role == Role::optimizer && h.name == "step") steps.insert(h.tensor.item<double>());
  return {steps.begin(), steps.end()};
}

TimedSteps::Memory TimedSteps::memory() {
  return {total(measure::live_bytes()), measure::heap_bytes(),
          static_cast<std::int64_t>(measure::status_bytes("RssAnon"))};
}

void TimedSteps::before_step() {
  if (steps_ == 0) {
    before_ = memory();
    wire_before_ = comm_.bytes_on_wire();
  }
  comm_.barrier();
  comm_.reset_counters();
}

void TimedSteps::after_step() {
  ++steps_;
  for (std::size_t i = 0; i < operation_count; ++i) {
    const OperationTraffic& step = comm_.traffic().operations[i];
    OperationTraffic& sum = traffic_.operations[i];
    sum.calls += step.calls;
    sum.payload_bytes += step.payload_bytes;
    sum.sent_bytes += step.sent_bytes;
    sum.received_bytes += step.received_bytes;
  }
}

void TimedSteps::report(RankReport& report) const {
  const Memory after = memory();
  report.heap.timed_growth = after.heap - before_.heap;
  report.heap.anonymous_growth = after.anonymous - before_.anonymous;
  TimedPart& timed = report.timed;
  timed.steps = steps_;
  timed.traffic = traffic_;
  timed.alive_before = before_.alive;
  timed.alive_after = after.alive;
  if (wire_before_) timed.bytes_on_wire = *comm_.bytes_on_wire() - *wire_before_;
}

}  // namespace shardbench
