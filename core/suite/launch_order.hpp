#pragma once
#include <cstddef>
#include <vector>

#include "suite/case.hpp"

namespace shardbench {

/// The order in which the launches of cases run, as indices of cases: each occurs as often as it has launches. First
/// launches first, then all second ones and so on; within such a round, cases that differ in the backend alone follow
/// each other. So what is compared is measured at nearly the same time, and again at another (A B A B).
std::vector<std::size_t> launch_order(const std::vector<Case>& cases);

}  // namespace shardbench
