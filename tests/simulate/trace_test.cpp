#include "simulate/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "law/plans.hpp"

namespace shardbench {
namespace {

TEST(Trace, HasASliceForEachActionAndAnArrowForEachMessage) {
  const Plan plan = testing::plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"});
  const auto trace = nlohmann::json::parse(trace_json(plan, simulate(plan, {.latency = 1}), "a \"title\" \xff", 1000));
  std::map<std::string, int> phases;
  std::map<int, double> sent, received;
  std::vector<double> durations;
  for (const auto& event : trace.at("traceEvents")) {
    ++phases[event.at("ph")];
    if (event["ph"] == "X") durations.push_back(event["dur"].get<double>());
    if (event["ph"] == "s") sent[event["id"]] = event["ts"];
    if (event["ph"] == "f") received[event["id"]] = event["ts"];
    if (event.at("name") == "1F1") {
      EXPECT_EQ(event["ts"], 5000);
      EXPECT_EQ(event["tid"], 1);
      EXPECT_EQ(event["args"]["microbatch"], 1);
    }
  }
  std::sort(durations.begin(), durations.end());
  EXPECT_EQ(durations, (std::vector<double>{1000, 1000, 1000, 1000, 2000, 2000, 2000, 2000}));
  EXPECT_EQ(phases["M"], 3);
  EXPECT_EQ(sent.size(), 4U);
  for (const auto& [id, at] : sent) EXPECT_GE(received.at(id) - at, 1000);
}

}  // namespace
}  // namespace shardbench
