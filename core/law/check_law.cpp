#include "law/check_law.hpp"

#include <cstdint>
#include <string>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

[[noreturn]] void refuse(int rank, const std::string& what, const std::string& claimed) {
  throw Error("its law for rank " + std::to_string(rank) + " claims " + claimed + " for " + what +
                  ", but numbers are from 0 to 2^63 - 1",
              "the law", "correct it: an unsigned difference may have gone below 0");
}

void require_possible(int rank, const std::string& what, std::uint64_t claimed) {
  if (claimed >> 63U != 0) refuse(rank, what, std::to_string(claimed));
}

}  // namespace

void check_law(const Law& law, int rank) {
  require_possible(rank, "weights", law.weights);
  require_possible(rank, "gradients", law.gradients);
  require_possible(rank, "optimizer", law.optimizer);
  require_possible(rank, "peak", law.peak);
  require_possible(rank, "weights, gradients and optimizer together", law.total());
  for (std::size_t op = 0; op < operation_count; ++op) {
    const std::string name(name_of(static_cast<Operation>(op)));
    const OperationTraffic& moved = law.traffic.operations[op];
    require_possible(rank, "calls of " + name, moved.calls);
    require_possible(rank, "payload bytes of " + name, moved.payload_bytes);
    require_possible(rank, "bytes sent by " + name, moved.sent_bytes);
    require_possible(rank, "bytes received by " + name, moved.received_bytes);
  }
}

void check_law(const ScheduleLaw& law, int rank) {
  for (const int claimed : {law.peak_in_flight, law.peak_in_flight_until_weight})
    if (claimed < 0) refuse(rank, "microbatches in flight", std::to_string(claimed));
}

}  // namespace shardbench
