#pragma once
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// Whether this is a job of GitHub Actions, which shows lines of a certain form on its pages (GITHUB_ACTIONS is set).
bool annotations_wanted();

/// "::error title=TITLE::MESSAGE" with what the form reserves escaped, or "::warning": GitHub, "Workflow commands for
/// GitHub Actions", section "Setting an error message".
std::string annotation(const char* level, const std::string& title, const std::string& message);

/// An error for every case that is not green.
std::string annotations(const std::vector<CaseResult>& results);

/// An error for every regression; a warning for cases and metrics that are gone, checks that are not run any more, and
/// cases that cannot be compared.
std::string annotations(const Comparison& comparison);

}  // namespace shardbench
