#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <limits>

#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// A measured number beside the one that a law gives for it.
struct Pair {
  std::uint64_t measured = 0, predicted = 0;
  std::uint64_t distance() const { return measured > predicted ? measured - predicted : predicted - measured; }
  /// Relative to the law.
  double share() const {
    if (distance() == 0) return 0;
    if (predicted == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(distance()) / static_cast<double>(predicted);
  }
};
using Pairs = std::vector<Pair>;

/// One law: the pairs of one rank of a case, none where it does not apply.
struct LawRow {
  std::string name;
  std::string unit;
  std::function<Pairs(const CaseResult&, const RankReport&, std::size_t rank)> pairs;
};

bool training(const CaseResult& result) { return result.spec.program == Program::training; }
bool pipeline(const CaseResult& result) { return result.spec.program == Program::pipeline; }
bool has_memory_law(const CaseResult& result) { return training(result) || pipeline(result); }

Pairs at_rest(const CaseResult& result, const RankReport& r, std::size_t) {
  if (!has_memory_law(result)) return {};
  return {{r.weights_bytes, r.law.weights}, {r.gradients_bytes, r.law.gradients}, {r.optimizer_bytes, r.law.optimizer}};
}

Pairs peak(const CaseResult& result, const RankReport& r, std::size_t) {
  return has_memory_law(result) ? Pairs{{r.peak.bytes, r.law.peak}} : Pairs{};
}

/// Operation by operation, so that two faults do not cancel.
Pairs sent(const CaseResult& result, const RankReport& r, std::size_t rank) {
  const auto& plans = result.schedule.traffic;
  if (pipeline(result) && rank >= plans.size()) return {};
  const Traffic& law = pipeline(result) ? plans[rank] : r.law.traffic;
  Pairs pairs;
  for (std::size_t o = 0; o < operation_count; ++o)
    pairs.push_back({r.traffic.operations[o].sent_bytes, law.operations[o].sent_bytes});
  return pairs;
}

Pairs in_flight(const CaseResult& result, const RankReport& r, std::size_t rank) {
  const auto &input = result.schedule.law_in_flight, &weight = result.schedule.law_in_flight_until_weight;
  if (!pipeline(result) || rank >= input.size() || rank >= weight.size()) return {};
  return {{static_cast<std::uint64_t>(r.executed_in_flight), static_cast<std::uint64_t>(input[rank])},
          {static_cast<std::uint64_t>(r.executed_in_flight_until_weight), static_cast<std::uint64_t>(weight[rank])}};
}

Pairs activations(const CaseResult& result, const RankReport& r, std::size_t) {
  return pipeline(result) ? Pairs{{r.activations_bytes, r.predicted_activations_bytes}} : Pairs{};
}

Pairs saved_peak(const CaseResult& result, const RankReport& r, std::size_t) {
  return pipeline(result) ? Pairs{{r.saved.peak_bytes, r.predicted_saved_peak_bytes}} : Pairs{};
}

/// The pair that is farthest from its law, in parts of the law, over all launches and ranks of all cases.
struct Deviation {
  std::size_t cases = 0;
  Pair worst;
  const CaseResult* where = nullptr;
};

Deviation deviation_of(const LawRow& law, const std::vector<CaseResult>& results) {
  Deviation d;
  for (const auto& result : results) {
    bool compared = false;
    for (const auto& launch : result.launches)
      for (std::size_t rank = 0; rank < launch.ranks.size(); ++rank)
        for (const Pair& pair : law.pairs(result, launch.ranks[rank], rank)) {
          compared = true;
          const bool farther = pair.share() > d.worst.share() ||
                               (pair.share() == d.worst.share() && pair.distance() > d.worst.distance());
          if (!farther) continue;
          d.worst = pair;
          d.where = &result;
        }
    d.cases += compared ? 1 : 0;
  }
  return d;
}

std::string signed_number(const Pair& pair) {
  if (pair.distance() == 0) return "0";
  return (pair.measured > pair.predicted ? "+" : "-") + thousands(pair.distance());
}

std::string percent(const Pair& pair) {
  return pair.predicted == 0 && pair.measured != 0 ? "-" : fmt::format("{:.3f} %", 100 * pair.share());
}

}  // namespace

std::string law_deviations(const std::vector<CaseResult>& results, TextStyle style) {
  const LawRow laws[] = {{"at rest", "bytes", at_rest},
                         {"peak", "bytes", peak},
                         {"sent", "bytes", sent},
                         {"in flight", "microbatches", in_flight},
                         {"saved peak", "bytes", saved_peak},
                         {"activations", "bytes", activations}};
  TextTable table({{.name = "law", .align = Align::left},
                   {.name = "cases"},
                   {.name = "largest deviation"},
                   {.name = "unit", .align = Align::left},
                   {.name = "of the law"},
                   {.name = "case", .align = Align::left, .hide_if_empty = true}});
  for (const LawRow& law : laws) {
    const Deviation d = deviation_of(law, results);
    if (d.cases == 0) continue;
    table.add({law.name, thousands(d.cases), signed_number(d.worst), law.unit, percent(d.worst),
               d.where == nullptr ? std::string{} : d.where->spec.id},
              d.where != nullptr && is_bad(*d.where));
  }
  return table.empty() ? std::string{} : table.text(style);
}

}  // namespace shardbench
