#pragma once
#include <vector>

namespace shardbench {

/// The value below which `share` (0 to 1) of the values lie, interpolated linearly between the two nearest order
/// statistics: position share * (n - 1) counted from 0 (NumPy's default; Hyndman and Fan 1996, definition 7).
/// Throws std::invalid_argument when there are no values or `share` is outside 0 to 1.
double quantile(std::vector<double> values, double share);

/// The middle value, or the mean of the two middle ones.
double median(std::vector<double> values);

}  // namespace shardbench
