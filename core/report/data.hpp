#pragma once
#include <nlohmann/json_fwd.hpp>

#include "report/summary.hpp"

namespace shardbench {

/// What the page's scripts work on (page/*.js): the run without what no part of the page shows.
nlohmann::ordered_json report_data(const ReportInput& input);

}  // namespace shardbench
