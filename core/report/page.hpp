#pragma once
#include <string>

#include "report/summary.hpp"

namespace shardbench {

/// The report as one HTML file that asks nothing of the network and of no other file. Texts of suites and plugins are
/// in it as JSON alone, which the page's scripts show as text; they cannot become markup or code.
std::string report_page(const ReportInput& input);

}  // namespace shardbench
