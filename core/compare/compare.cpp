#include "compare/compare.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "compare/counts.hpp"
#include "compare/detectable.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// One case of one side: what every result of the side has of it.
struct Found {
  const RecordedRun* run;
  const RecordedCase* c;
};

std::vector<Found> all_of(const std::vector<RecordedRun>& runs, const std::string& id) {
  std::vector<Found> found;
  for (const RecordedRun& run : runs)
    if (const RecordedCase* c = run.find(id)) found.push_back({&run, c});
  return found;
}

std::vector<std::string> ids_of(const std::vector<RecordedRun>& runs) {
  std::vector<std::string> ids;
  std::set<std::string_view> seen;
  for (const RecordedRun& run : runs)
    for (const RecordedCase& c : run.cases)
      if (seen.insert(c.id).second) ids.push_back(c.id);
  return ids;
}

/// The worst of them.
const Found& worst_of(const std::vector<Found>& side) {
  for (const Found& f : side)
    if (f.c->status != Status::ok) return f;
  return side.front();
}

Gate gate_of(const std::vector<Found>& next, const CompareOptions& options) {
  Gate gate;
  const auto suite = next.back().c->spec.find("suite");
  if (suite != next.back().c->spec.end()) {
    const auto& gates = next.back().run->gates;
    if (const auto it = gates.find(suite->second); it != gates.end()) gate = it->second;
  }
  if (options.threshold) {
    gate.threshold = *options.threshold;
    for (auto& [name, metric] : gate.metrics) metric.threshold.reset();
  }
  if (options.launches) {
    gate.launches = *options.launches;
    for (auto& [name, metric] : gate.metrics) metric.launches.reset();
  }
  return gate;
}

/// Sorts what differs between any result of either side and the first of the base into what stands in the way and what
/// may differ.
void take_differences(const std::vector<Found>& base, const std::vector<Found>& next, const CompareOptions& options,
                      CaseVerdict& verdict) {
  const Fingerprint first = fingerprint_of(*base.front().run, *base.front().c);
  for (const auto* side : {&base, &next})
    for (const Found& f : *side)
      for (FieldDifference& d : differences(first, fingerprint_of(*f.run, *f.c))) {
        const bool may = std::find(options.allow.begin(), options.allow.end(), d.field) != options.allow.end();
        auto& list = may ? verdict.allowed : verdict.differences;
        if (std::find(list.begin(), list.end(), d) == list.end()) list.push_back(std::move(d));
      }
}

/// Why nothing of a case can be compared, or empty.
std::string obstacle(const std::vector<Found>& base, const std::vector<Found>& next, const CaseVerdict& verdict) {
  const RecordedCase &before = *worst_of(base).c, &now = *worst_of(next).c;
  if (before.status != Status::ok)
    return fmt::format("the base's case is no baseline: it is {}", name_of(before.status));
  if (now.launches.empty()) return fmt::format("there is nothing of it now: it is {}", name_of(now.status));
  std::string fields;
  for (const FieldDifference& d : verdict.differences) fields += (fields.empty() ? "" : "; ") + text(d);
  return fields;
}

LaunchMedians medians_of(const std::vector<Found>& side, const std::string& metric) {
  LaunchMedians medians;
  for (const Found& f : side)
    for (const RecordedLaunch& launch : f.c->launches)
      if (const auto seconds = launch.times.find(metric)) medians.push_back(*seconds);
  return medians;
}

std::vector<std::string> timed_metrics(const std::vector<Found>& next, const std::vector<Found>& base,
                                       const Gate& gate) {
  std::vector<std::string> names;
  for (const auto* side : {&next, &base})
    for (const Found& f : *side)
      for (const RecordedLaunch& launch : f.c->launches)
        for (std::size_t i = 0; i < launch.times.size(); ++i) {
          const std::string& name = launch.times.name(i);
          if (gate.judges_time(name) && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
        }
  return names;
}

MetricVerdict judge_metric(const std::string& metric, LaunchMedians base, LaunchMedians next, const Gate& gate) {
  MetricVerdict m;
  m.metric = metric;
  m.timed = true;
  m.better = gate.better_of(metric);
  m.rule = rule_for(metric, gate);
  m.base_launches = std::move(base);
  m.next_launches = std::move(next);
  take_judgement(m, judge_times(m.base_launches, m.next_launches, m.rule));
  return m;
}

/// Every newer result is held against the base: a change in one of them is a finding.
void judge_all_counts(const RecordedCase& base, const std::vector<Found>& next, const Gate& gate,
                      CaseVerdict& verdict) {
  for (const Found& f : next) {
    CaseVerdict one;
    judge_counts(base, *f.c, gate, one);
    if (&f == &next.front()) {
      verdict.metrics = std::move(one.metrics);
      verdict.metrics_new = std::move(one.metrics_new);
      verdict.metrics_gone = std::move(one.metrics_gone);
      continue;
    }
    for (MetricVerdict& m : one.metrics) {
      const auto before = std::find_if(verdict.metrics.begin(), verdict.metrics.end(),
                                       [&](const MetricVerdict& v) { return v.metric == m.metric; });
      if (before == verdict.metrics.end())
        verdict.metrics.push_back(std::move(m));
      else if (before->change == Change::same || (m.regression && !before->regression))
        *before = std::move(m);
    }
  }
}

std::vector<std::string> checks_gone(const RecordedCase& base, const RecordedCase& next) {
  std::vector<std::string> gone;
  for (const InvariantOutcome& before : base.invariants) {
    const auto now = std::find_if(next.invariants.begin(), next.invariants.end(),
                                  [&](const InvariantOutcome& o) { return o.name == before.name; });
    const bool runs = now != next.invariants.end() && now->verdict != Verdict::not_run;
    if (before.verdict == Verdict::passed && !runs) gone.push_back(before.name);
  }
  return gone;
}

CaseVerdict judge_case(const std::string& id, const std::vector<Found>& base, const std::vector<Found>& next,
                       const CompareOptions& options) {
  CaseVerdict verdict;
  verdict.id = id;
  verdict.suite = next.back().run->suite;
  verdict.base_status = worst_of(base).c->status;
  verdict.next_status = worst_of(next).c->status;
  take_differences(base, next, options, verdict);
  verdict.reason = obstacle(base, next, verdict);
  const Gate gate = gate_of(next, options);
  judge_all_counts(*base.back().c, next, gate, verdict);
  for (const std::string& metric : timed_metrics(next, base, gate))
    verdict.metrics.push_back(judge_metric(metric, medians_of(base, metric), medians_of(next, metric), gate));
  if (!verdict.reason.empty())
    for (MetricVerdict& m : verdict.metrics) {
      m.change = Change::not_comparable;
      m.reason = verdict.reason;
      m.regression = m.worth_rerun = false;
      m.detectable.reset();
    }
  else
    verdict.checks_gone = checks_gone(*base.back().c, *worst_of(next).c);
  return verdict;
}

std::vector<ComparedRun> names_of(const std::vector<RecordedRun>& runs) {
  std::vector<ComparedRun> names;
  for (const RecordedRun& run : runs)
    names.push_back({run.file.string(), run.suite, run.started, run.environment.commit_text(), run.injected});
  return names;
}

}  // namespace

void take_judgement(MetricVerdict& verdict, const TimeJudgement& judgement) {
  verdict.change = judgement.change;
  verdict.reason = judgement.reason;
  verdict.worth_rerun = judgement.worth_rerun;
  verdict.regression = worse(judgement.change, verdict.better);
  verdict.ratio = judgement.ratio;
  verdict.p = judgement.p;
  verdict.base = verdict.base_launches.empty() ? std::nullopt : std::optional(judgement.base);
  verdict.next = verdict.next_launches.empty() ? std::nullopt : std::optional(judgement.next);
  verdict.detectable = detectable_slowdown(
      {verdict.base_launches, verdict.next_launches, verdict.base_again, verdict.next_again}, verdict.rule);
}

void require_baseline(const RecordedRun& run) {
  if (!run.injected.empty())
    throw Error(fmt::format("{} was injected into this run, so it is no baseline", run.injected), run.file.string(),
                "name a run without --inject");
}

Comparison compare(const std::vector<RecordedRun>& base, const std::vector<RecordedRun>& next,
                   const CompareOptions& options) {
  if (base.empty() || next.empty())
    throw Error("there are no results to compare", base.empty() ? "the base" : "the new results",
                "name a results folder");
  for (const RecordedRun& run : base) require_baseline(run);
  Comparison comparison;
  comparison.base = names_of(base);
  comparison.next = names_of(next);
  comparison.allowed_fields = options.allow;
  for (const std::string& id : ids_of(next)) {
    const auto before = all_of(base, id), now = all_of(next, id);
    if (before.empty())
      comparison.cases_new.push_back(id);
    else
      comparison.cases.push_back(judge_case(id, before, now, options));
  }
  for (const std::string& id : ids_of(base))
    if (all_of(next, id).empty()) comparison.cases_gone.push_back(id);
  return comparison;
}

}  // namespace shardbench
