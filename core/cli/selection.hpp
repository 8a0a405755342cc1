#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/inputs.hpp"
#include "result/case_result.hpp"

namespace shardbench {

/// A case that the filters leave, with what is predicted of it; already lost where its schedule misbehaves.
struct SelectedCase {
  CaseResult result;
  std::size_t suite = 0;  ///< index of its suite in the inputs
};

/// Both filters, as results tell them; empty where there is none.
std::string filter_text(const Arguments& arguments);

/// In the order of the suites. Google Benchmark's filter may be negative: "-zero1". Throws `Error` where a filter is no
/// regular expression.
std::vector<SelectedCase> selected_cases(const Arguments& arguments, const Inputs& inputs);

}  // namespace shardbench
