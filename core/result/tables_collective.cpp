#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "result/launch_ratio.hpp"
#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// A column in another unit, "-" where it is empty.
std::string scaled(const CaseResult& result, std::string_view column, double factor) {
  const std::string value = plain(result, column);
  return value.empty() ? "-" : fmt::format("{:.1f}", factor * std::stod(value));
}

/// The case of another operation on the same array over the same backend, or null.
const CaseResult* sibling(const std::vector<CaseResult>& results, const Case& spec, Collective operation) {
  const auto it = std::find_if(results.begin(), results.end(), [&](const CaseResult& other) {
    const Case& o = other.spec;
    return o.operation == operation && o.backend == spec.backend && o.backend_options == spec.backend_options &&
           o.world == spec.world && o.bytes == spec.bytes && o.dtype == spec.dtype && o.reduction == spec.reduction;
  });
  return it == results.end() ? nullptr : &*it;
}

/// What does the same or more and yet was faster: a reduce_scatter or an all_gather is half of an all_reduce, and an
/// all_reduce is the two together. Empty where there is no such thing.
std::string faster_sibling(const std::vector<CaseResult>& results, const CaseResult& result) {
  const auto& operation = result.spec.operation;
  const bool half = operation == Collective::reduce_scatter || operation == Collective::all_gather;
  if (!half && operation != Collective::all_reduce) return {};
  const auto* other =
      sibling(results, result.spec, half ? Collective::all_reduce : Collective::reduce_scatter_all_gather);
  if (other == nullptr) return {};
  const auto ratio = launch_ratio(result, *other);
  if (!ratio || !ratio->slower()) return {};
  return fmt::format("{}, {:.2f} x", other->spec.subject(), ratio->ratio);
}

}  // namespace

std::vector<Group> collective_groups(const std::vector<CaseResult>& results) {
  std::vector<Group> groups;
  for (const auto& result : results) {
    if (result.spec.program != Program::collective) continue;
    const std::string title = (result.spec.study.empty() ? "" : result.spec.study + ", ") + result.spec.subject();
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.title == title; });
    if (group == groups.end()) group = groups.insert(groups.end(), Group{title, {}});
    group->cases.push_back(&result);
  }
  return groups;
}

std::string collective_table(const Group& group, const std::vector<CaseResult>& results, TextStyle style) {
  TextTable table({{.name = "world"},
                   {.name = "bytes", .hide_if_empty = true},
                   {.name = "dtype", .align = Align::left, .hide_if_same = true},
                   {.name = "reduction", .align = Align::left, .hide_if_same = true},
                   {.name = "backend", .align = Align::left},
                   {.name = "options", .align = Align::left, .hide_if_empty = true},
                   {.name = "transport", .align = Align::left},
                   {.name = "wait mode", .align = Align::left},
                   {.name = "algorithm", .align = Align::left},
                   {.name = "p50 us"},
                   {.name = "min us"},
                   {.name = "p99 us"},
                   {.name = "skew us"},
                   {.name = "busbw MB/s"},
                   {.name = "time over the first", .align = Align::left, .hide_if_empty = true},
                   {.name = "slower than", .align = Align::left, .hide_if_empty = true},
                   {.name = "status", .align = Align::left, .hide_if_empty = true}});
  TimeOverFirst over_first;
  for (const auto* result : group.cases) {
    const std::string bytes = plain(*result, "array_bytes");
    table.add({plain(*result, "world"), bytes.empty() ? bytes : size_text(result->spec.bytes), plain(*result, "dtype"),
               plain(*result, "reduction"), plain(*result, "backend"), plain(*result, "options"),
               plain(*result, "transport"), plain(*result, "wait_mode"), plain(*result, "algorithm"),
               scaled(*result, "step_median_s", 1e6), scaled(*result, "step_min_s", 1e6),
               scaled(*result, "step_p99_s", 1e6), scaled(*result, "skew_s", 1e6), scaled(*result, "busbw_Bps", 1e-6),
               over_first.of(*result), faster_sibling(results, *result), shown_status(*result)},
              is_bad(*result));
  }
  return table.text(style);
}

}  // namespace shardbench
