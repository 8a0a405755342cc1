#pragma once
#include <string>
#include <vector>

#include "shardbench/error.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// Why a plan is not valid, and where in it: an action, or, where one is missing, what it belongs to.
class PlanFault : public Error {
 public:
  PlanFault(const std::string& problem, int rank, int index)
      : Error(problem, "the schedule's plan", "correct the schedule"), rank_(rank), index_(index) {}
  int rank() const noexcept { return rank_; }    ///< -1: the plan as a whole
  int index() const noexcept { return index_; }  ///< of the rank's action; -1: the rank as a whole

 private:
  int rank_, index_;
};

/// Throws `PlanFault` naming the rank, the action and what is missing, unless: every stage has a rank, and every rank a
/// stage; every rank does actions of its own stages alone; every (stage, microbatch) has its F once and its B, or its I
/// and its W, once; and the whole can run, lowered too: no action waits for one that can never come. Linear in the
/// number of actions. A plan for `in.chunks` = 0 may have any number of stages.
void validate(const Plan& plan, const ScheduleInput& in);

/// The same of a plan that has its communication: every message is sent and received once, none is needless, and the
/// whole can run in the order of its sends and receives too.
void validate_lowered(const Plan& lowered, const ScheduleInput& in);

/// Whether the plan has actions of communication.
bool communicates(const Plan& plan);

/// The plan with its communication: RECV_F before F and SEND_F after it, RECV_B before B or I and SEND_B after it,
/// wherever the neighbouring stage lives on another rank.
Plan lower(const Plan& plan);

/// For every action of `rank` in a lowered plan: if it is a send, the index of the rank's first later receive that
/// cannot complete before the peer has received it (the peer sent that message after its receive), so that collecting
/// the send there never blocks; -1 if it is none or there is no such receive before the end of the step.
std::vector<int> release_points(const Plan& lowered, int rank);

/// Most microbatches in flight at once, each chunk's counted, on every rank, by the order of its actions.
struct PeakInFlight {
  std::vector<int> until_input;   ///< whose F has run and whose I (or B) has not
  std::vector<int> until_weight;  ///< whose F has run and whose W (or B) has not
};
PeakInFlight peak_in_flight(const Plan& plan);

/// What is claimed wrongly of a plan, a sentence for each: "rank 1: the simulation has 1 microbatches in flight until I
/// (or B), but the law says 2". Both have a number for every rank.
std::vector<std::string> wrong_claims(const PeakInFlight& simulated, const PeakInFlight& claimed);

}  // namespace shardbench
