#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/case.hpp"
#include "suite/problems.hpp"

namespace shardbench {

/// The quantities that a reference file may demand, by their column in ranks.csv; `machine_total_bytes` is of the case.
const std::vector<std::string>& reference_quantities();

/// The numbers that a reference file (docs/suites.md) demands. With `cases_known` its ids and ranks have to be those of
/// `cases`; without, they are not looked at, because the suite itself has problems. Throws `Error` if the file cannot
/// be read.
std::vector<Expectation> load_reference(const std::filesystem::path& file, const std::vector<Case>& cases,
                                        bool cases_known, Problems& problems);

}  // namespace shardbench
