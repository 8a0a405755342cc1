#pragma once
#include <optional>
#include <string>

#include "host/plugin_host.hpp"
#include "launch/fault.hpp"
#include "plugin/catalogue.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// A pipeline case before it runs: its plan, which is valid, with what follows from it; or why there is none.
struct PredictedPipeline {
  SchedulePrediction schedule;
  std::optional<PluginFault> fault;
};

/// Asks the case's schedule within the case's deadline. Throws `Error`, with the case's place, where the schedule says
/// that it cannot do that many ranks and microbatches, or it and the model do not fit.
PredictedPipeline predict_schedule(const Case& spec, const Catalogue& catalogue, PluginHost& host);

/// Sets the status and the detail of a case that is lost.
void lose(CaseResult& result, FaultKind kind, const std::string& why);

/// The plan that the ranks run: lowered.
Plan lowered_plan(const SchedulePrediction& prediction);

}  // namespace shardbench
