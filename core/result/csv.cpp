#include "result/csv.hpp"

#include "result/quantities.hpp"

namespace shardbench {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_field(fields[i]);
  }
  return line + '\n';
}

std::string results_csv_header() {
  std::vector<std::string> names;
  for (const auto& column : columns())
    if (!column.ranks_only) names.emplace_back(column.name);
  return csv_line(names);
}

std::string ranks_csv_header() {
  std::vector<std::string> names;
  for (const auto& column : columns()) names.emplace_back(column.name);
  return csv_line(names);
}

std::string results_csv_row(const CaseResult& result, const Environment& environment) {
  const Row row{result, &environment};
  std::vector<std::string> fields;
  for (const auto& column : columns())
    if (!column.ranks_only) fields.push_back(text(case_cell(column, row)));
  return csv_line(fields);
}

std::string ranks_csv_rows(const CaseResult& result, const Environment& environment) {
  std::string lines;
  if (!result.has_report()) return lines;
  for (std::size_t rank = 0; rank < result.ranks().size(); ++rank) {
    const Row row{result, &environment, 0, rank};
    std::vector<std::string> fields;
    for (const auto& column : columns()) fields.push_back(text(rank_cell(column, row)));
    lines += csv_line(fields);
  }
  return lines;
}

}  // namespace shardbench
