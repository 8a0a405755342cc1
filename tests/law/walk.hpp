#pragma once
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "law/plan.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench::testing {

/// Runs a lowered plan with the ranks taking turns at random: a send starts at once, a receive waits until the peer has
/// started that send. Where a rank comes to the release point of one of its sends, the peer must have received it by
/// then, or collecting it would have blocked. Fails the test where it has not, and where the ranks do not come to the
/// end.
class RandomWalk {
 public:
  RandomWalk(const Plan& lowered, unsigned seed) : plan_(lowered), next_(lowered.ranks.size(), 0), random_(seed) {
    for (std::size_t r = 0; r < plan_.ranks.size(); ++r) points_.push_back(release_points(plan_, static_cast<int>(r)));
  }

  void run() {
    for (std::vector<std::size_t> able = ranks_that_can_go(); !able.empty(); able = ranks_that_can_go())
      step(able[random_() % able.size()]);
    for (std::size_t r = 0; r < next_.size(); ++r)
      EXPECT_EQ(next_[r], plan_.ranks[r].actions.size()) << "rank " << r << " does not come to its end";
  }

  int released() const { return released_; }

 private:
  using Message = std::tuple<bool, int, int>;  // forward, the sender's stage, microbatch

  static bool is_send(const Action& a) {
    return a.kind == ActionKind::send_forward || a.kind == ActionKind::send_backward;
  }
  static bool is_receive(const Action& a) {
    return a.kind == ActionKind::recv_forward || a.kind == ActionKind::recv_backward;
  }
  static Message message(const Action& a) {
    const bool forward = a.kind == ActionKind::send_forward || a.kind == ActionKind::recv_forward;
    return {forward, a.stage + (is_send(a) ? 0 : forward ? -1 : 1), a.microbatch};
  }

  std::vector<std::size_t> ranks_that_can_go() const {
    std::vector<std::size_t> able;
    for (std::size_t r = 0; r < next_.size(); ++r) {
      const auto& actions = plan_.ranks[r].actions;
      if (next_[r] == actions.size()) continue;
      const Action& a = actions[next_[r]];
      if (!is_receive(a) || sent_.contains(message(a))) able.push_back(r);
    }
    return able;
  }

  void step(std::size_t rank) {
    const auto& actions = plan_.ranks[rank].actions;
    const std::size_t here = next_[rank]++;
    if (is_send(actions[here])) sent_[message(actions[here])] = false;
    if (!is_receive(actions[here])) return;
    sent_.at(message(actions[here])) = true;
    for (std::size_t i = 0; i < here; ++i) {
      if (points_[rank][i] != static_cast<int>(here)) continue;
      ++released_;
      EXPECT_TRUE(sent_.at(message(actions[i])))
          << "rank " << rank << " would block at action " << here << " on its send of action " << i;
    }
  }

  const Plan& plan_;
  std::vector<std::size_t> next_;
  std::vector<std::vector<int>> points_;
  std::map<Message, bool> sent_;  // started; whether it was received
  std::mt19937 random_;
  int released_ = 0;
};

}  // namespace shardbench::testing
