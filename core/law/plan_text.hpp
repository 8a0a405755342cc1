#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// PyTorch's pipeline IR (torch.distributed.pipelining.schedules, _Action): stage, kind, microbatch: "2F0", "3SEND_F1".
std::string text(const Action& action);

/// The kinds' names: F, B, I, W, SEND_F, RECV_F, SEND_B, RECV_B.
std::string_view name_of(ActionKind kind);

/// The compute actions of a list that may hold communication too.
std::vector<Action> compute_only(const std::vector<Action>& actions);

}  // namespace shardbench
