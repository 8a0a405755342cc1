#include "compare/comparison_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace shardbench {
namespace {

using nlohmann::ordered_json;

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json run_list(const std::vector<ComparedRun>& runs) {
  ordered_json list = ordered_json::array();
  for (const ComparedRun& r : runs) {
    list.push_back({{"file", r.file}, {"suite", r.suite}, {"started", r.started}, {"commit", r.commit}});
    if (!r.injected.empty()) list.back()["injected"] = r.injected;
  }
  return list;
}

ordered_json difference_list(const std::vector<FieldDifference>& differences) {
  ordered_json list = ordered_json::array();
  for (const FieldDifference& d : differences) list.push_back({{"field", d.field}, {"base", d.base}, {"new", d.next}});
  return list;
}

ordered_json metric_json(const MetricVerdict& m) {
  ordered_json json = {
      {"metric", m.metric},          {"verdict", name_of(m.change, m.timed)}, {"regression", m.regression},
      {"better", name_of(m.better)}, {"base", number_or_null(m.base)},        {"new", number_or_null(m.next)}};
  if (!m.reason.empty()) json["reason"] = m.reason;
  if (!m.timed) {
    json["law"] = number_or_null(m.law);
    if (m.rank >= 0) json["rank"] = m.rank;
    return json;
  }
  json["ratio"] = m.ratio;
  json["p"] = m.p;
  json["threshold"] = m.rule.threshold;
  json["launches_needed"] = m.rule.launches;
  json["significance"] = m.rule.significance;
  json["confirming_significance"] = m.rule.confirming_significance;
  json["detectable_slowdown"] =
      m.detectable && std::isfinite(*m.detectable) ? ordered_json(*m.detectable) : ordered_json();
  json["too_noisy"] = too_noisy(m);
  json["launches"] = {{"base", m.base_launches}, {"new", m.next_launches}};
  if (!m.base_again.empty() || !m.next_again.empty())
    json["confirming_launches"] = {{"base", m.base_again}, {"new", m.next_again}};
  return json;
}

ordered_json case_verdict_json(const CaseVerdict& c) {
  ordered_json json = {{"case", c.id}, {"base_status", name_of(c.base_status)}, {"new_status", name_of(c.next_status)}};
  if (!c.reason.empty()) json["not_comparable"] = c.reason;
  json["differences"] = difference_list(c.differences);
  json["allowed_differences"] = difference_list(c.allowed);
  ordered_json& metrics = json["metrics"] = ordered_json::array();
  for (const MetricVerdict& m : c.metrics) metrics.push_back(metric_json(m));
  json["metrics_new"] = c.metrics_new;
  json["metrics_gone"] = c.metrics_gone;
  json["checks_gone"] = c.checks_gone;
  return json;
}

}  // namespace

ordered_json comparison_json(const Comparison& comparison) {
  ordered_json cases = ordered_json::array();
  for (const CaseVerdict& c : comparison.cases) cases.push_back(case_verdict_json(c));
  return {{"schema_version", comparison_schema_version},
          {"base", run_list(comparison.base)},
          {"new", run_list(comparison.next)},
          {"allowed", comparison.allowed_fields},
          {"confirmed", comparison.confirmed},
          {"regressions", comparison.regressions()},
          {"cases", std::move(cases)},
          {"cases_new", comparison.cases_new},
          {"cases_gone", comparison.cases_gone}};
}

}  // namespace shardbench
