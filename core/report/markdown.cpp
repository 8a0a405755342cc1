#include "report/markdown.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "result/quantities.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_rows = 100;  ///< of a table: a comment on GitHub has 65,536 characters at most

/// By the unit of its column: bytes exactly, times as "2.88 ms".
std::string value_text(std::string_view name, const std::optional<double>& value) {
  if (!value) return "";
  const Column* column = find_column(name);
  if (column != nullptr && column->unit == "s") {
    if (*value >= 1) return fmt::format("{:.3g} s", *value);
    return *value >= 1e-3 ? fmt::format("{:.3g} ms", *value * 1e3) : fmt::format("{:.3g} us", *value * 1e6);
  }
  if (column != nullptr && (column->unit == "bytes" || column->unit == "count") && *value >= 0)
    return thousands(static_cast<std::uint64_t>(*value));
  return fmt::format("{:.6g}", *value);
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + " |";
  return text + '\n';
}

/// `rows` under `head`, whose columns from `first_number` on are numbers.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                  std::size_t first_number) {
  std::vector<std::string> rules;
  for (std::size_t i = 0; i < head.size(); ++i) rules.emplace_back(i < first_number ? "---" : "---:");
  std::string text = row(head) + row(rules);
  for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) text += row(rows[i]);
  if (rows.size() > most_rows) text += fmt::format("\n... and {} more rows\n", rows.size() - most_rows);
  return text + '\n';
}

std::string red_cases(const RecordedRun& run) {
  std::vector<std::vector<std::string>> rows;
  for (const RecordedCase& c : run.cases)
    if (c.status != Status::ok) rows.push_back({name_of(c.status), markdown_escaped(c.id), markdown_escaped(c.detail)});
  return rows.empty() ? "" : table({"status", "case", "why"}, rows, 3);
}

/// Times of which "same" does not mean that nothing got slower.
std::string noisy_times(const ReportedComparison& c) {
  if (c.noisy.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const NoisyTime& n : c.noisy)
    rows.push_back({markdown_escaped(n.id), markdown_escaped(n.metric),
                    n.detectable ? fmt::format("{:.0f} %", 100 * *n.detectable) : std::string("none")});
  return markdown_escaped(noisy_text(c)) + ":\n\n" + table({"case", "metric", "smallest slowdown found"}, rows, 2);
}

std::string comparison_text(const ReportedComparison& c) {
  std::string text = "Against " + markdown_escaped(c.baseline) + ": ";
  std::string counts;
  for (const auto& [verdict, count] : c.counts)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
  text += (counts.empty() ? "nothing was compared" : counts) + ".\n\n";
  if (!c.note.empty()) text += markdown_escaped(c.note) + "\n\n";
  text += noisy_times(c);
  std::vector<std::vector<std::string>> rows;
  for (const bool regression : {true, false})
    for (const ReportedChange& f : c.changes)
      if (f.regression == regression)
        rows.push_back({regression ? "**" + f.verdict + "**" : f.verdict, markdown_escaped(f.id),
                        markdown_escaped(f.metric), markdown_escaped(f.note), value_text(f.metric, f.before),
                        value_text(f.metric, f.now), f.ratio ? fmt::format("\u00d7{:.2f}", *f.ratio) : ""});
  return rows.empty() ? text : text + table({"verdict", "case", "metric", "note", "before", "now", "by"}, rows, 4);
}

std::string all_cases(const RecordedRun& run) {
  constexpr const char* shown[] = {"total_bytes", "peak_bytes", "sent_bytes",
                                   "saved_peak",  "busbw_Bps",  "step_median_s"};
  std::vector<std::string> head = {"case", "status"};
  std::vector<std::string> names;
  for (const char* name : shown)
    if (std::any_of(run.cases.begin(), run.cases.end(),
                    [&](const RecordedCase& c) { return c.quantities.find(name).has_value(); })) {
      names.emplace_back(name);
      head.push_back(markdown_escaped(name));
    }
  std::vector<std::vector<std::string>> rows;
  for (const RecordedCase& c : run.cases) {
    auto& cells = rows.emplace_back(std::vector<std::string>{markdown_escaped(c.id), name_of(c.status)});
    for (const std::string& name : names) cells.push_back(value_text(name, c.quantities.find(name)));
  }
  const std::string mark = run.injected.empty() ? "" : " [INJECTED " + markdown_escaped(run.injected) + "]";
  return "<details><summary>All cases" + mark + "</summary>\n\n" + table(head, rows, 2) + "</details>\n";
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '|': escaped += "&#124;"; break;
      case '@': escaped += "&#64;"; break;
      case '\n':
      case '\r': escaped += ' '; break;
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '~':
      case '$':
      case '#':
      case '!':
        escaped += '\\';
        escaped += c;
        break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string report_markdown(const ReportInput& input) {
  const RecordedRun& run = input.run;
  const Summary summary = summary_of(input);
  const Environment& e = run.environment;
  std::string text = fmt::format("### {} {}: {}\n\n", summary.green ? "\u2705" : "\u274c", markdown_escaped(run.suite),
                                 markdown_escaped(summary.headline));
  const auto count = [&](Verdict verdict) {
    const auto it = summary.invariants.find(name_of(verdict));
    return it == summary.invariants.end() ? std::size_t{0} : it->second;
  };
  text += fmt::format("Run of {}, commit {}, {}, {}. Invariants: {} hold, {} fail, {} not run.\n\n",
                      markdown_escaped(run.started), markdown_escaped(e.commit_text()), markdown_escaped(e.cpu),
                      counted(static_cast<std::size_t>(std::max(e.cores, 0)), "core"), count(Verdict::passed),
                      count(Verdict::failed), count(Verdict::not_run));
  if (run.load && run.load->busy())
    text += "**" + markdown_escaped(busy_text(*run.load)) + ".** Its times tell less.\n\n";
  text += red_cases(run);
  if (input.comparison) text += comparison_text(*input.comparison);
  return text + all_cases(run);
}

}  // namespace shardbench
