#include "law/stages.hpp"

#include <algorithm>

namespace shardbench {

StageLayers stage_layers(int layers, int stages, int stage) {
  const int each = layers / stages, extra = layers % stages;
  return {stage * each + std::min(stage, extra), each + (stage < extra ? 1 : 0)};
}

std::vector<Traffic> pipeline_traffic(const Plan& lowered, const std::vector<std::uint64_t>& boundary_bytes) {
  std::vector<Traffic> all;
  for (const RankPlan& rank : lowered.ranks) {
    Traffic& traffic = all.emplace_back();
    const auto boundary = [&](int stage) { return boundary_bytes[static_cast<std::size_t>(stage)]; };
    for (const Action& a : rank.actions) {
      if (a.kind == ActionKind::send_forward || a.kind == ActionKind::send_backward) {
        const auto bytes = boundary(a.kind == ActionKind::send_forward ? a.stage : a.stage - 1);
        add_call(traffic, Operation::send, bytes, {bytes, 0}, 1);
      }
      if (a.kind == ActionKind::recv_forward || a.kind == ActionKind::recv_backward) {
        const auto bytes = boundary(a.kind == ActionKind::recv_backward ? a.stage : a.stage - 1);
        add_call(traffic, Operation::recv, bytes, {0, bytes}, 1);
      }
    }
  }
  return all;
}

}  // namespace shardbench
