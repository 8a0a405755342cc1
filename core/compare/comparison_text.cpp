#include "compare/comparison_text.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "compare/detectable.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

std::string count_text(const std::optional<double>& value) {
  if (!value) return "nothing";
  return *value < 0 ? fmt::format("{}", *value) : thousands(static_cast<std::uint64_t>(*value));
}

std::string seconds_text(const std::optional<double>& seconds) {
  if (!seconds) return "nothing";
  if (*seconds >= 1) return fmt::format("{:.3g} s", *seconds);
  return *seconds >= 1e-3 ? fmt::format("{:.3g} ms", *seconds * 1e3) : fmt::format("{:.3g} us", *seconds * 1e6);
}

std::string launches_text(const MetricVerdict& m) {
  std::string words = fmt::format("{} and {} launches", m.base_launches.size(), m.next_launches.size());
  if (!m.next_again.empty()) words += fmt::format(", and {} and {} again", m.base_again.size(), m.next_again.size());
  return words;
}

std::string runs_text(const char* label, const std::vector<ComparedRun>& runs) {
  std::string lines;
  for (const ComparedRun& r : runs)
    lines += fmt::format("  {} {} ({}, {}, commit {}){}\n", label, r.file, r.suite, r.started, r.commit,
                         r.injected.empty() ? "" : fmt::format(" [INJECTED {}]", r.injected));
  return lines;
}

std::string list_text(const char* heading, const std::vector<std::string>& entries) {
  std::string lines;
  for (const std::string& entry : entries) lines += fmt::format("  {} {}\n", heading, entry);
  return lines;
}

/// Cases that cannot be compared, by reason.
std::string obstacles_text(const Comparison& comparison) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const CaseVerdict& c : comparison.cases)
    if (!c.reason.empty()) by_reason[c.reason].push_back(c.id);
  std::string lines;
  for (const auto& [reason, ids] : by_reason) {
    lines += fmt::format("  not comparable: {}\n", reason);
    for (const std::string& id : ids) lines += fmt::format("    {}\n", id);
  }
  return lines;
}

std::string metric_lines(const CaseVerdict& c, TextStyle style, bool all) {
  std::string lines;
  for (const MetricVerdict& m : c.metrics) {
    if (m.change == Change::same && !all) continue;
    std::string line = fmt::format("  {} {}: {}", name_of(m.change, m.timed), c.id, change_text(m));
    if (!m.reason.empty()) line += ": " + m.reason;
    lines += (m.regression ? red(line, style) : line) + '\n';
  }
  return lines;
}

/// Suspects and ambiguous times are grouped where their reason is the same, as "1 and 1 launches, but 5 on each side
/// are needed".
std::string undecided_text(const Comparison& comparison, Change change) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const CaseVerdict& c : comparison.cases)
    for (const MetricVerdict& m : c.metrics)
      if (m.change == change) by_reason[m.reason].push_back(c.id + ": " + change_text(m));
  std::string lines;
  for (const auto& [reason, entries] : by_reason) {
    lines += fmt::format("  {}: {}\n", name_of(change, true), reason);
    for (const std::string& entry : entries) lines += fmt::format("    {}\n", entry);
  }
  return lines;
}

/// Times of which "same" does not mean that nothing got slower.
std::string noisy_text(const Comparison& comparison) {
  std::string lines;
  for (const CaseVerdict& c : comparison.cases)
    for (const MetricVerdict& m : c.metrics)
      if (too_noisy(m)) lines += fmt::format("    {}: {}: {}\n", c.id, m.metric, detectable_text(*m.detectable));
  if (lines.empty()) return lines;
  return fmt::format("  too noisy: a slowdown of {:.0f} % would not be found here\n", 100 * expected_slowdown) + lines;
}

std::string differences_text(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const CaseVerdict& c : comparison.cases)
    for (const FieldDifference& d : c.allowed)
      if (std::string line = text(d); std::find(lines.begin(), lines.end(), line) == lines.end())
        lines.push_back(std::move(line));
  return list_text("allowed:", lines);
}

}  // namespace

std::string detectable_text(double slowdown) {
  return std::isinf(slowdown) ? "finds no slowdown"
                              : fmt::format("finds {:.0f} % or more", std::ceil(100 * slowdown - 1e-9));
}

std::string change_text(const MetricVerdict& m) {
  if (m.timed) {
    std::string words = fmt::format("{} {} -> {}", m.metric, seconds_text(m.base), seconds_text(m.next));
    if (m.base && m.next)
      words += fmt::format(" (x {:.2f}, p {:.2g}, {}{})", m.ratio, m.p, launches_text(m),
                           m.detectable ? "; " + detectable_text(*m.detectable) : "");
    return words;
  }
  std::string words = fmt::format("{} {}", m.metric, count_text(m.base));
  if (m.rank < 0) return words;
  words += fmt::format(" -> {} (", count_text(m.next));
  if (m.base && m.next) words += fmt::format("{:+.0f}, ", *m.next - *m.base);
  return words + fmt::format("rank {}; {})", m.rank, m.law ? "law " + count_text(m.law) : std::string("no law"));
}

std::string comparison_summary(const Comparison& comparison) {
  std::size_t slower = 0, larger = 0, faster = 0, smaller = 0, obstacles = 0;
  for (const CaseVerdict& c : comparison.cases) {
    obstacles += c.reason.empty() ? 0 : 1;
    for (const MetricVerdict& m : c.metrics) {
      if (m.change == Change::larger) ++(m.timed ? slower : larger);
      if (m.change == Change::smaller) ++(m.timed ? faster : smaller);
    }
  }
  return fmt::format(
      "{} cases in both, {} of them not comparable, {} new, {} gone; verdicts: {} same, {} larger, {} smaller, {} "
      "slower, {} faster, {} suspect, {} ambiguous, {} not comparable; {} too noisy; {} regressions",
      comparison.cases.size(), obstacles, comparison.cases_new.size(), comparison.cases_gone.size(),
      comparison.count(Change::same), larger, smaller, slower, faster, comparison.count(Change::suspect),
      comparison.count(Change::ambiguous), comparison.count(Change::not_comparable), comparison.noisy(),
      comparison.regressions());
}

std::string comparison_text(const Comparison& comparison, TextStyle style, bool all) {
  std::string lines = "Comparison\n" + runs_text("base:", comparison.base) + runs_text("new: ", comparison.next);
  lines += differences_text(comparison);
  for (const CaseVerdict& c : comparison.cases) {
    CaseVerdict told = c;
    std::erase_if(told.metrics, [](const MetricVerdict& m) {
      return m.change == Change::suspect || m.change == Change::ambiguous || m.change == Change::not_comparable;
    });
    lines += metric_lines(told, style, all);
    for (const std::string& metric : c.metrics_new) lines += fmt::format("  new metric: {} of {}\n", metric, c.id);
    for (const std::string& metric : c.metrics_gone) lines += fmt::format("  metric gone: {} of {}\n", metric, c.id);
    for (const std::string& check : c.checks_gone)
      lines += fmt::format("  check not run any more: {} of {}\n", check, c.id);
  }
  lines += undecided_text(comparison, Change::suspect) + undecided_text(comparison, Change::ambiguous) +
           obstacles_text(comparison);
  lines += noisy_text(comparison);
  lines += list_text("new case:", comparison.cases_new) + list_text("case gone:", comparison.cases_gone);
  lines += "  " + comparison_summary(comparison) + '\n';
  if (!comparison.confirmed && comparison.count(Change::suspect) > 0)
    lines += "  no suspect is a regression until a re-run finds it again: compare with --confirm\n";
  return lines;
}

}  // namespace shardbench
