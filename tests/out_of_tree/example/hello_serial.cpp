#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// No pipelining at all: a microbatch goes forward through all ranks and back before the next one starts.
Plan hello_serial(const ScheduleInput& in) {
  if (in.chunks != 1)
    throw Error("hello_serial has 1 stage per rank, but " + std::to_string(in.chunks) + " chunks are asked for");
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    RankPlan& mine = plan.ranks.emplace_back();
    for (int m = 0; m < in.microbatches; ++m) {
      mine.forward(rank, m);
      mine.backward(rank, m);
    }
  }
  return plan;
}

/// One microbatch is in flight, on any rank.
ScheduleLaw hello_serial_law(const ScheduleInput&, int /*rank*/) { return {1}; }

}  // namespace

SHARDBENCH_SCHEDULE(hello_serial, hello_serial_law, "hello_serial", "0.1.0", "One microbatch at a time", "")
