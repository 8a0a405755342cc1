#pragma once
#include <vector>

#include "cli/compare_arguments.hpp"
#include "cli/exit_code.hpp"
#include "compare/comparison.hpp"
#include "result/recorded_run.hpp"

namespace shardbench {

/// Compares, runs suspects again where that is asked for, prints the verdicts, and writes comparison.json to `output`
/// where that is not empty. What both `compare` and `run --baseline` do.
Comparison compare_and_tell(const CompareArguments& arguments, const std::vector<RecordedRun>& base,
                            const std::vector<RecordedRun>& next, const std::filesystem::path& output);

/// Regression, nothing compared (then it is said on standard error), or ok.
ExitCode exit_code_of(const Comparison& comparison);

}  // namespace shardbench
