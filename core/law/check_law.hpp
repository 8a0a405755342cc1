#pragma once
#include "shardbench/law.hpp"
#include "shardbench/schedule.hpp"

/// Whether what a plugin claims is possible at all. Whether it is right, the invariants say.

namespace shardbench {

/// Throws `Error`, naming the rank and the number, where one is 2^63 or more: what a negative number becomes, which
/// sums and charts would not survive.
void check_law(const Law& law, int rank);

/// Throws `Error`, naming the rank and the number, where one is negative.
void check_law(const ScheduleLaw& law, int rank);

}  // namespace shardbench
