#pragma once
#include <string>
#include <string_view>

#include "suite/case.hpp"

namespace shardbench {

/// The id of a case, from its other fields and the suite's name for its optimizer:
///
///     [study/]training/zero2/gloo/notebook/world=2/unit=root/adamw[/float64][/partition=flat]
///     [study/]pipeline/1f1b/gloo/pipeline-2x32/world=2/horizon=4[/adamw]
///     [study/]collective/all_reduce/gloo/world=2/bytes=64KiB[/max][/float64][/mode=async]
///
/// Only what tells cases apart is in it, so that it stays the same when steps, seeds or deadlines change: the dtype
/// where it is not float32, the optimizer of a pipeline where there is one, the reduction of a collective where it is
/// not sum, and the options that the suite gives.
std::string case_id(const Case& c, std::string_view optimizer_name);

}  // namespace shardbench
