#include "history/history_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "result/text_table.hpp"

namespace shardbench {
namespace {

std::string value_text(double value, bool timed) {
  if (!timed) return thousands(static_cast<std::uint64_t>(value));
  return value >= 1e-3 ? fmt::format("{:.3g} ms", value * 1e3) : fmt::format("{:.3g} us", value * 1e6);
}

std::string change_line(const LastingChange& c, const std::vector<HistoryRun>& runs) {
  const HistoryRun &before = runs.at(c.last_before), &after = runs.at(c.first_after);
  std::string line = fmt::format("  {} {}: {} -> {}", c.case_id, c.metric, value_text(c.before, c.timed),
                                 value_text(c.after, c.timed));
  if (c.timed) line += fmt::format(" (x {:.2f}, p {:.3f})", c.after / c.before, c.p);
  return line + fmt::format("\n    between {} (commit {}) and {} (commit {})\n", before.started, before.commit,
                            after.started, after.commit);
}

std::string ending_of(const HistoryRun& run) {
  if (!run.injected.empty()) return "INJECTED " + run.injected;
  return run.green ? "green" : run.finished.empty() ? "cut short" : "red";
}

}  // namespace

std::string history_text(const std::vector<HistoryRun>& runs, const std::vector<DamagedFile>& damaged,
                         const std::vector<LastingChange>& changes, TextStyle style) {
  TextTable table({{"started", Align::left},
                   {"suite", Align::left, false, false},
                   {"commit", Align::left},
                   {"fingerprint", Align::left},
                   {"cases"},
                   {"ok"},
                   {"", Align::left}});
  for (const HistoryRun& run : runs) {
    const auto ok =
        std::count_if(run.cases.begin(), run.cases.end(), [](const HistoryCase& c) { return c.status == Status::ok; });
    table.add({run.started, run.suite, run.commit, run.fingerprint, std::to_string(run.cases.size()),
               std::to_string(ok), ending_of(run)},
              !run.green);
  }
  std::string lines = fmt::format("{} runs\n", runs.size()) + (table.empty() ? "" : table.text(style));
  for (const DamagedFile& d : damaged) lines += fmt::format("skipped {}: {}\n", d.file.string(), d.problem);
  lines += changes.empty() ? "no lasting change\n" : fmt::format("{} lasting changes\n", changes.size());
  for (const LastingChange& c : changes) lines += change_line(c, runs);
  return lines;
}

}  // namespace shardbench
