#pragma once
#include <vector>

#include "compare/comparison.hpp"

namespace shardbench {

/// Exact verdicts on every counted metric of a case, rank by rank, by its first launch: that all launches count the
/// same is an invariant. Metrics that one side alone has go to `verdict.metrics_new` and `metrics_gone`.
void judge_counts(const RecordedCase& base, const RecordedCase& next, const Gate& gate, CaseVerdict& verdict);

/// Changed for the worse.
bool worse(Change change, Better better);

}  // namespace shardbench
