#include "law/plan_text.hpp"

#include <algorithm>
#include <iterator>

namespace shardbench {

std::string_view name_of(ActionKind kind) {
  constexpr std::string_view names[] = {"F", "B", "I", "W", "SEND_F", "RECV_F", "SEND_B", "RECV_B"};
  return names[static_cast<std::size_t>(kind)];
}

std::string text(const Action& action) {
  return std::to_string(action.stage) + std::string(name_of(action.kind)) + std::to_string(action.microbatch);
}

std::vector<Action> compute_only(const std::vector<Action>& actions) {
  std::vector<Action> kept;
  std::copy_if(actions.begin(), actions.end(), std::back_inserter(kept),
               [](const Action& a) { return a.kind <= ActionKind::backward_weight; });
  return kept;
}

}  // namespace shardbench
