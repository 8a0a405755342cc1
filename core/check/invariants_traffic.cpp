#include <fmt/format.h>

#include "check/invariant_functions.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::invariant {

void compare_traffic(const Traffic& measured, const Traffic& predicted, std::string_view says, Findings& findings) {
  for (std::size_t i = 0; i < operation_count; ++i) {
    const auto& m = measured.operations[i];
    const auto& p = predicted.operations[i];
    const std::string name = fmt::format("{}:", name_of(static_cast<Operation>(i)));
    if (m.calls != p.calls) findings.fail(differs(name, m.calls, "calls", says, p.calls));
    if (m.sent_bytes != p.sent_bytes) findings.fail(differs(name, m.sent_bytes, "bytes sent", says, p.sent_bytes));
  }
}

const Traffic* predicted_traffic(const CheckInput& in, const RankReport& r, std::size_t rank, Findings& findings) {
  if (!in.pipeline()) return &r.law.traffic;
  const auto& predicted = in.result.schedule.traffic;
  if (rank < predicted.size()) return &predicted[rank];
  findings.not_run(fmt::format("the schedule predicts the traffic of {} ranks only", predicted.size()));
  return nullptr;
}

Finding sent_equals_law(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t rank, Findings& findings) {
    if (const Traffic* predicted = predicted_traffic(in, r, rank, findings))
      compare_traffic(r.traffic, *predicted, in.pipeline() ? "the plan says" : "the law says", findings);
  });
}

Finding wire_equals_sent(const CheckInput& in) {
  return each_rank(in, [&](const RankReport& r, std::size_t, Findings& findings) {
    if (!r.bytes_on_wire)
      return findings.not_run(fmt::format("the backend '{}' does not tell what it sends", in.result.spec.backend));
    if (!r.wire_claim.without_law.empty()) return findings.not_run("no law is known for " + r.wire_claim.without_law);
    if (*r.bytes_on_wire != r.wire_claim.sent_bytes)
      findings.fail(differs("the backend sent", *r.bytes_on_wire, "bytes", "the algorithms that it names send",
                            r.wire_claim.sent_bytes));
  });
}

Finding sent_equals_received(const CheckInput& in) {
  return each_launch(in, [](const std::vector<RankReport>& ranks, Findings& findings) {
    std::uint64_t sent = 0, received = 0;
    for (const auto& r : ranks) {
      sent += r.traffic.sent_bytes();
      received += r.traffic.received_bytes();
    }
    if (sent != received) findings.fail(differs("all ranks together sent", sent, "bytes", "they received", received));
  });
}

}  // namespace shardbench::invariant
