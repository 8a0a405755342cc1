#pragma once
#include <vector>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// For every stage of a plan, its microbatches in the order in which their gradients are added up (by B or W). Empty
/// where every stage adds them in ascending order.
std::vector<std::vector<int>> accumulation_orders(const Plan& plan);

}  // namespace shardbench
