#pragma once
#include <string>
#include <utility>
#include <vector>

#include "result/recorded_run.hpp"

/// Results made up for comparisons.

namespace shardbench::testing {

/// A case of one metric, counted on each rank (its law is 100), and of one launch per median.
inline RecordedCase recorded_case(const std::string& id, const std::vector<double>& weights,
                                  const std::vector<double>& medians) {
  RecordedCase c;
  c.id = id;
  c.status = Status::ok;
  c.identity = {{"transport", "tcp on lo"}};
  c.settings = {{"wait_mode", "sync, block"}, {"oversubscribed", "no"}};
  c.spec = {{"id", id}, {"suite", "s"}, {"batch", "32"}, {"launches", "5"}, {"place.line", "7"}};
  const auto counted = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"weights_bytes"});
  const auto timed =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"step_median_s", "update_s"});
  for (const double m : medians) {
    RecordedLaunch& launch = c.launches.emplace_back();
    for (std::size_t r = 0; r < weights.size(); ++r)
      launch.ranks.push_back({static_cast<int>(r), {counted, {weights[r]}}, {counted, {100}}, "", {}});
    launch.seconds = {m};
    launch.times = {timed, {m, m / 10}};
  }
  return c;
}

inline RecordedRun recorded_run(std::vector<RecordedCase> cases) {
  RecordedRun run;
  run.file = "results.json";
  run.suite = "s";
  run.started = "2026-07-30T14:05:09Z";
  run.finished = "2026-07-30T14:06:09Z";
  run.environment.cpu = "a processor";
  run.environment.cores = 2;
  run.environment.libraries = {{"LibTorch", "2.13.0"}};
  run.cases = std::move(cases);
  return run;
}

inline const std::vector<double> steady = {1.00, 1.01, 1.02, 1.03, 1.04};

/// Each value times `by`.
inline std::vector<double> times(std::vector<double> values, double by) {
  for (double& v : values) v *= by;
  return values;
}

}  // namespace shardbench::testing
