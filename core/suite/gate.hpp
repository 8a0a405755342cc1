#pragma once
#include <map>
#include <optional>
#include <string>

namespace shardbench {

/// Which way a metric gets better. `neither`: any change is a regression.
enum class Better { smaller, larger, neither };

/// What a suite's [gate.METRIC] says of one metric; what it does not say, [gate] does.
struct MetricGate {
  std::optional<double> threshold;
  std::optional<int> launches;
  Better better = Better::smaller;
};

/// A suite's [gate]: when a difference between two runs counts. The defaults are measured (docs/nightly.md, "How good
/// is the gate").
struct Gate {
  double threshold = 0.15;       ///< of times: share of the base by which the median over launches has to differ
  int launches = 5;              ///< of times: fewest launches on each side
  double significance = 0.05;    ///< of the rank test over launches, one-sided
  int confirming_launches = 20;  ///< of each build in a confirming re-run ...
  /// ... which takes as many more, while they do not decide it, up to these. Only in turns with the base's build.
  int most_confirming_launches = 100;
  double confirming_significance = 0.0001;  ///< of a change that a re-run finds: a night has many cases
  /// Counted metrics are always judged; of the times, step_median_s and those that are named here.
  std::map<std::string, MetricGate> metrics;

  double threshold_of(const std::string& metric) const;
  int launches_of(const std::string& metric) const;
  Better better_of(const std::string& metric) const;
  bool judges_time(const std::string& metric) const;
};

std::string name_of(Better better);
/// Throws `Error` where there is none of that name.
Better better_named(const std::string& name);

}  // namespace shardbench
