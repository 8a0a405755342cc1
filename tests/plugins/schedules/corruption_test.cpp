#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "law/plan_text.hpp"
#include "plugins/schedules/schedule.hpp"

// Plans of random shape, each broken at random in one way: every one is refused, and the message names it.

namespace shardbench {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A right plan and a place in it.
struct Victim {
  ScheduleInput in;
  Plan plan;
  std::size_t rank = 0, index = 0;
  std::vector<Action>& actions() { return plan.ranks[rank].actions; }
  Action& action() { return actions()[index]; }
  std::string of_rank() const { return "rank " + std::to_string(rank) + ": "; }
  /// "F of stage 0, microbatch 3": what is counted of an action; the first where it is two.
  std::string counted() {
    const Action& a = action();
    const char* what = a.kind == ActionKind::forward           ? "F"
                       : a.kind == ActionKind::backward_weight ? "B (or W)"
                                                               : "B (or I)";
    return std::string(what) + " of stage " + std::to_string(a.stage) + ", microbatch " + std::to_string(a.microbatch);
  }
};

class Corruption : public ::testing::Test {
 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Victim victim() {
    const auto& all = testing::all_schedules();
    for (;;) {
      const testing::Tried& tried = all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
      const ScheduleInput in{1 + below(6),
                             tried.chunks[static_cast<std::size_t>(below(static_cast<int>(tried.chunks.size())))],
                             1 + below(14),
                             {}};
      if (!tried.takes(in.ranks, in.microbatches)) continue;
      Victim v{in, schedules_.try_emplace(tried.name, tried.name).first->second.plan(in)};
      v.rank = static_cast<std::size_t>(below(in.ranks));
      v.index = static_cast<std::size_t>(below(static_cast<int>(v.actions().size())));
      return v;
    }
  }

  static std::string refusal(const Victim& v) {
    try {
      validate(v.plan, v.in);
    } catch (const Error& e) {
      return e.problem();
    }
    return "nothing was refused:\n" + plan_text(v.plan);
  }

  std::mt19937 random_{20261129};
  std::map<std::string, testing::Schedule> schedules_;
  static constexpr int trials = 400;
};

TEST_F(Corruption, AnActionLeftOutIsMissed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    const std::string expected = v.of_rank() + v.counted() + " is done 0 times, not once";
    v.actions().erase(v.actions().begin() + static_cast<std::ptrdiff_t>(v.index));
    EXPECT_EQ(refusal(v), expected);
  }
}

TEST_F(Corruption, AnActionDoneTwiceIsNoticed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    const std::string expected = v.of_rank() + v.counted() + " is done 2 times, not once";
    const Action again = v.action();
    v.actions().insert(v.actions().begin() + below(static_cast<int>(v.actions().size()) + 1), again);
    EXPECT_EQ(refusal(v), expected);
  }
}

TEST_F(Corruption, AnActionOnAnotherRankIsNoticed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    if (v.in.ranks == 1) continue;
    const Action moved = v.action();
    v.actions().erase(v.actions().begin() + static_cast<std::ptrdiff_t>(v.index));
    const auto other = (v.rank + 1) % v.plan.ranks.size();
    v.plan.ranks[other].actions.push_back(moved);
    EXPECT_EQ(refusal(v),
              "rank " + std::to_string(other) + ": " + text(moved) + " belongs to rank " + std::to_string(v.rank));
  }
}

TEST_F(Corruption, AStageOrMicrobatchOutsideIsNoticed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    (t % 2 == 0 ? v.action().stage : v.action().microbatch) += 1000 * (t % 4 < 2 ? 1 : -1);
    EXPECT_EQ(refusal(v), v.of_rank() + text(v.action()) + " is outside " + std::to_string(v.plan.placement.size()) +
                              " stages and " + std::to_string(v.in.microbatches) + " microbatches");
  }
}

TEST_F(Corruption, CommunicationInAPlanIsNoticed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    v.action().kind = static_cast<ActionKind>(4 + below(4));
    EXPECT_EQ(refusal(v), v.of_rank() + text(v.action()) + " is communication, which the core adds");
  }
}

TEST_F(Corruption, ABackwardBeforeItsForwardCanNeverRun) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    auto& actions = v.actions();
    if (v.action().kind == ActionKind::forward) continue;
    const Action early = v.action();
    const bool weight = early.kind == ActionKind::backward_weight;
    actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(v.index));
    actions.insert(actions.begin(), early);
    const std::string message = refusal(v);
    // The ranks before it may wait for it in turn, and come first in the message.
    EXPECT_THAT(message, HasSubstr(" can never run: it needs "));
    if (v.rank == 0) {
      EXPECT_EQ(message, v.of_rank() + text(early) + " can never run: it needs " + std::to_string(early.stage) +
                             (weight ? "I" : "F") + std::to_string(early.microbatch) + ", which comes later");
    }
  }
}

TEST_F(Corruption, AnyOtherOrderRunsOrIsSaidNotTo) {
  int refused = 0;
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    std::shuffle(v.actions().begin(), v.actions().end(), random_);
    const std::string message = refusal(v);
    if (message.starts_with("nothing was refused")) continue;
    ++refused;
    EXPECT_THAT(message, StartsWith("rank "));
    EXPECT_THAT(message, HasSubstr(" can never run: it needs "));
  }
  EXPECT_GT(refused, trials / 2);
}

TEST_F(Corruption, AMessageLeftOutOrTwiceIsNoticed) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    v.plan = lower(v.plan);
    std::vector<std::size_t> messages;
    for (std::size_t i = 0; i < v.actions().size(); ++i)
      if (v.actions()[i].kind > ActionKind::backward_weight) messages.push_back(i);
    if (messages.empty()) continue;
    v.index = messages[static_cast<std::size_t>(below(static_cast<int>(messages.size())))];
    const Action message = v.action();
    if (t % 2 == 0)
      v.actions().erase(v.actions().begin() + static_cast<std::ptrdiff_t>(v.index));
    else
      v.actions().push_back(message);
    try {
      validate_lowered(v.plan, v.in);
      ADD_FAILURE() << text(message);
    } catch (const Error& e) {
      EXPECT_EQ(e.problem(), v.of_rank() + text(message) + (t % 2 == 0 ? " is missing" : " is there twice"));
    }
  }
}

TEST_F(Corruption, AReceiveAfterItsActionCanNeverRun) {
  for (int t = 0; t < trials; ++t) {
    Victim v = victim();
    v.plan = lower(v.plan);
    auto& actions = v.actions();
    const auto receive = std::find_if(actions.begin(), actions.end(), [](const Action& a) {
      return a.kind == ActionKind::recv_forward || a.kind == ActionKind::recv_backward;
    });
    if (receive == actions.end()) continue;
    std::iter_swap(receive, receive + 1);
    try {
      validate_lowered(v.plan, v.in);
      ADD_FAILURE() << text(*receive);
    } catch (const Error& e) {
      EXPECT_THAT(e.problem(), HasSubstr(" can never run: it "));
    }
  }
}

}  // namespace
}  // namespace shardbench
