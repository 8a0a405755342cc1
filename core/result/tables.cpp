#include "result/tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <stdexcept>

#include "result/parameter_count.hpp"
#include "result/quantities.hpp"
#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

std::string title_of(const Case& spec) {
  const std::string model = fmt::format("{} ({} layer{}, {} parameters)", spec.model.name, spec.model.layers(),
                                        spec.model.layers() == 1 ? "" : "s", thousands(parameter_count(spec.model)));
  return spec.study.empty() ? model : spec.study + ", " + model;
}

Cell cell_of(const CaseResult& result, std::string_view name) {
  const Column* column = find_column(name);
  if (column == nullptr) throw std::logic_error("no column " + std::string(name));
  return case_cell(*column, {result});
}

/// "3 cases", "1 case".
std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// What was injected into these cases, or empty: a run injects the same into all.
std::string injected_into(const std::vector<CaseResult>& results) {
  return results.empty() ? std::string{} : results.front().injected;
}

}  // namespace

std::vector<Group> groups_of(const std::vector<CaseResult>& results, Program program) {
  std::vector<Group> groups;
  for (const auto& result : results) {
    if (result.spec.program != program) continue;
    const std::string title = title_of(result.spec);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.title == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{title, {}});
    group->cases.push_back(&result);
  }
  return groups;
}

std::string plain(const CaseResult& result, std::string_view column) { return text(cell_of(result, column)); }

std::string shown(const CaseResult& result, std::string_view column) {
  const Cell cell = cell_of(result, column);
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return thousands(*count);
  const std::string words = text(cell);
  return words.empty() ? "-" : words;
}

std::string shown_status(const CaseResult& result) {
  return result.status == Status::ok ? std::string{} : name_of(result.status);
}

bool is_bad(const CaseResult& result) { return result.status != Status::ok && result.status != Status::skipped; }

std::string summary_line(const std::vector<CaseResult>& results) {
  std::array<std::size_t, 5> by_status{};
  std::size_t passed = 0, failed = 0, not_run = 0;
  for (const auto& result : results) {
    ++by_status[static_cast<std::size_t>(result.status)];
    passed += count_of(result, Verdict::passed);
    failed += count_of(result, Verdict::failed);
    not_run += count_of(result, Verdict::not_run);
  }
  std::string line = counted(results.size(), "case") + ": " + std::to_string(by_status[0]) + " ok";
  for (std::size_t s = 1; s < by_status.size(); ++s)
    if (by_status[s] > 0) line += fmt::format(", {} {}", by_status[s], name_of(static_cast<Status>(s)));
  return line + fmt::format("; {} passed, {} failed, {} not run", counted(passed, "invariant"), failed, not_run);
}

std::string injected_line(const std::vector<CaseResult>& results, TextStyle style) {
  const std::string injected = injected_into(results);
  if (injected.empty()) return {};
  return red(fmt::format("INJECTED {} (run --inject): no number of this run is a measurement of its cases", injected),
             style) +
         "\n\n";
}

std::string tables(const std::vector<CaseResult>& results, TextStyle style) {
  const auto training = groups_of(results, Program::training), pipeline = groups_of(results, Program::pipeline);
  const std::string injected = injected_into(results);
  const std::string mark = injected.empty() ? injected : fmt::format(" [INJECTED {}]", injected);
  const auto headed = [&](const std::string& heading, const std::string& table) {
    return table.empty() ? std::string{} : heading + mark + '\n' + table + '\n';
  };
  std::string text;
  for (const auto& group : training) text += headed("Bytes per rank: " + group.title, at_rest_table(group, style));
  for (const auto& group : training)
    text += headed("Bytes of the whole machine at rest, by world: " + group.title, machine_table(group, style));
  for (const auto& group : pipeline)
    text += headed("Tensors saved for backward, rank by rank: " + group.title, pipeline_table(group, style));
  for (const auto& groups : {training, pipeline})
    for (const auto& group : groups) text += headed("Time per step: " + group.title, times_table(group, style));
  for (const auto& group : collective_groups(results))
    text += headed("Collective: " + group.title, collective_table(group, results, style));
  text += headed("Law deviations: measured against predicted, over all ranks", law_deviations(results, style));
  text += unoptimized(results) + failures(results, style);
  const bool bad = std::any_of(results.begin(), results.end(), is_bad);
  const std::string summary = summary_line(results) + mark;
  return text + (bad ? red(summary, style) : summary) + '\n';
}

}  // namespace shardbench
