#include "result/predicted_cases.hpp"

#include <algorithm>
#include <functional>

#include "result/text_table.hpp"

namespace shardbench {
namespace {

template <class Items, class Value>
std::string largest(const Items& items, const Value& value) {
  std::uint64_t most = 0;
  for (const auto& item : items) most = std::max(most, std::invoke(value, item));
  return items.empty() ? "-" : thousands(most);
}

std::string training_table(const std::vector<PredictedCase>& cases) {
  TextTable table({{.name = "case", .align = Align::left},
                   {.name = "weights"},
                   {.name = "gradients"},
                   {.name = "optimizer state"},
                   {.name = "at rest"},
                   {.name = "peak"},
                   {.name = "sent per step"}});
  for (const auto& c : cases)
    if (c.spec.program == Program::training && c.problem.empty())
      table.add({c.spec.id, largest(c.laws, &Law::weights), largest(c.laws, &Law::gradients),
                 largest(c.laws, &Law::optimizer), largest(c.laws, &Law::total), largest(c.laws, &Law::peak),
                 largest(c.laws, [](const Law& law) { return law.traffic.sent_bytes(); })});
  return table.text({});
}

std::string pipeline_table(const std::vector<PredictedCase>& cases) {
  TextTable table({{.name = "case", .align = Align::left}, {.name = "in flight"}, {.name = "sent per step"}});
  for (const auto& c : cases) {
    if (c.spec.program != Program::pipeline || !c.problem.empty()) continue;
    std::string in_flight;
    for (const int n : c.schedule.law_in_flight) in_flight += (in_flight.empty() ? "" : " / ") + std::to_string(n);
    table.add({c.spec.id, in_flight, largest(c.schedule.traffic, &Traffic::sent_bytes)});
  }
  return table.text({});
}

std::string collective_table(const std::vector<PredictedCase>& cases) {
  TextTable table({{.name = "case", .align = Align::left}, {.name = "sent per call"}});
  for (const auto& c : cases)
    if (c.spec.program == Program::collective)
      table.add({c.spec.id, largest(c.laws, [](const Law& law) { return law.traffic.sent_bytes(); })});
  return table.text({});
}

}  // namespace

std::string predicted_cases(const std::vector<PredictedCase>& cases) {
  std::string all;
  for (const auto& table : {training_table(cases), pipeline_table(cases), collective_table(cases)})
    all += (all.empty() || table.empty() ? "" : "\n") + table;
  return all;
}

}  // namespace shardbench
