#pragma once
#include <string>
#include <string_view>

#include "report/summary.hpp"

namespace shardbench {

/// The report in short, as GitHub's Markdown: the headline, what is red, what changed, and the cases in a folded table.
std::string report_markdown(const ReportInput& input);

/// Text of a suite or plugin, so that Markdown shows it as it is: no markup, no link, no mention, no row or line of its
/// own.
std::string markdown_escaped(std::string_view text);

}  // namespace shardbench
