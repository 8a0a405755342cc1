#pragma once
#include <filesystem>
#include <optional>

#include "report/summary.hpp"

namespace shardbench {

/// The comparison.json that `run --baseline` has written beside the results in a folder, or nothing where there is
/// none.
///
/// Throws `Error` where it is damaged or of a newer schema.
std::optional<ReportedComparison> read_comparison(const std::filesystem::path& folder);

}  // namespace shardbench
