#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "result/fingerprint.hpp"

namespace shardbench {

/// A field as RFC 4180 has it: in quotes, with quotes doubled, where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

/// Fields with commas between, ended by LF (RFC 4180 says CR LF; tools on Linux keep the CR in the last field).
std::string csv_line(const std::vector<std::string>& fields);

std::string results_csv_header();
std::string ranks_csv_header();
/// One line.
std::string results_csv_row(const CaseResult& result, const Environment& environment);
/// One line per rank that reported; none for a case that gave nothing.
std::string ranks_csv_rows(const CaseResult& result, const Environment& environment);

}  // namespace shardbench
