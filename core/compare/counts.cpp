#include "compare/counts.hpp"

#include <algorithm>
#include <cmath>

#include "result/quantities.hpp"

namespace shardbench {
namespace {

const std::vector<RecordedRank>& ranks_of(const RecordedCase& c) {
  static const std::vector<RecordedRank> none;
  return c.launches.empty() ? none : c.launches.front().ranks;
}

bool has(const std::vector<RecordedRank>& ranks, std::string_view metric) {
  return std::any_of(ranks.begin(), ranks.end(), [&](const RecordedRank& r) { return r.quantities.find(metric); });
}

/// Counted metrics of either side, in the order of the newer one. A metric that this version does not know is taken as
/// well: it is then not comparable, rather than dropped.
std::vector<std::string> metrics_of(const std::vector<RecordedRank>& next, const std::vector<RecordedRank>& base) {
  std::vector<std::string> names;
  for (const auto* ranks : {&next, &base}) {
    if (ranks->empty()) continue;
    const Quantities& quantities = ranks->front().quantities;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const std::string& name = quantities.name(i);
      const Column* column = find_column(name);
      if ((column == nullptr || column->counted) && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

/// By the rank that changed most, for the worse if any did.
MetricVerdict judge(const std::string& metric, const std::vector<RecordedRank>& base,
                    const std::vector<RecordedRank>& next, Better better) {
  MetricVerdict verdict;
  verdict.metric = metric;
  verdict.better = better;
  for (std::size_t i = 0; i < std::max(base.size(), next.size()); ++i) {
    const auto before = i < base.size() ? base[i].quantities.find(metric) : std::nullopt;
    const auto now = i < next.size() ? next[i].quantities.find(metric) : std::nullopt;
    const double by = now.value_or(0) - before.value_or(0);
    const Change change = by > 0 ? Change::larger : by < 0 ? Change::smaller : Change::same;
    const bool first = !verdict.base && !verdict.next, is_worse = worse(change, better);
    const double so_far = verdict.next.value_or(0) - verdict.base.value_or(0);
    const bool more = is_worse != verdict.regression ? is_worse : std::abs(by) > std::abs(so_far);
    if (!first && !more) continue;
    verdict.change = change;
    verdict.regression = is_worse;
    verdict.base = before;
    verdict.next = now;
    verdict.law = i < next.size() ? next[i].law.find(metric) : std::nullopt;
    verdict.rank = change == Change::same ? -1 : static_cast<int>(i);
  }
  return verdict;
}

}  // namespace

bool worse(Change change, Better better) {
  if (change == Change::larger) return better != Better::larger;
  return change == Change::smaller && better != Better::smaller;
}

void judge_counts(const RecordedCase& base, const RecordedCase& next, const Gate& gate, CaseVerdict& verdict) {
  const auto &before = ranks_of(base), &now = ranks_of(next);
  for (const std::string& metric : metrics_of(now, before)) {
    const bool in_base = has(before, metric), in_next = has(now, metric);
    if (!in_base && !in_next) continue;
    if (!in_base || !in_next) {
      (in_next ? verdict.metrics_new : verdict.metrics_gone).push_back(metric);
      continue;
    }
    MetricVerdict judged = judge(metric, before, now, gate.better_of(metric));
    if (find_column(metric) == nullptr) {
      judged.change = Change::not_comparable;
      judged.regression = false;
      judged.reason = "this version of Shardbench does not know it";
    }
    verdict.metrics.push_back(std::move(judged));
  }
}

}  // namespace shardbench
