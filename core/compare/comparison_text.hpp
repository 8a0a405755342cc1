#pragma once
#include <string>

#include "compare/comparison.hpp"
#include "result/text_style.hpp"

namespace shardbench {

/// A comparison for a terminal: what was compared, every finding, everything that is new, gone, ambiguous or not
/// comparable, and one line of counts. `all`: verdicts of "same" too.
std::string comparison_text(const Comparison& comparison, TextStyle style, bool all = false);

/// "weights_bytes 1,052,672 -> 1,052,673 (+1, rank 1; law 1,052,672)", "step_median_s 2.10 ms -> 2.65 ms (x 1.26,
/// p 0.004, 5 and 5 launches, and 20 and 20 again; finds 16 % or more)".
std::string change_text(const MetricVerdict& metric);

/// "finds 16 % or more": the smallest slowdown that the gate would find.
std::string detectable_text(double slowdown);

/// "24 cases compared: 480 verdicts: 478 same, 1 larger or slower, 1 ambiguous; 1 regression".
std::string comparison_summary(const Comparison& comparison);

}  // namespace shardbench
