#pragma once
#include "plugin/catalogue.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// The plan of a pipeline case, validated and lowered, with what follows from it. Throws `Error`, with the case's
/// place, where the schedule cannot do that many ranks and microbatches or its plan is wrong.
SchedulePrediction predict_schedule(const Case& spec, const Catalogue& catalogue);

/// The plan that the ranks run: lowered.
Plan lowered_plan(const SchedulePrediction& prediction);

}  // namespace shardbench
