#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "result/case_result.hpp"

namespace shardbench {

/// Bytes of activations against the horizon, a line for each schedule: those cases of one study, model, backend and
/// world that differ in nothing but schedule, horizon and batch.
struct HorizonChart {
  struct Point {
    int horizon = 0;
    std::uint64_t bytes = 0;  ///< most alive between two actions, on the rank that has most
  };
  struct Line {
    std::string label;  ///< the schedule, and its options
    std::vector<Point> points;
  };
  std::string title;  ///< "stages, world 4"
  std::vector<Line> lines;

  int longest() const;         ///< horizon
  std::uint64_t most() const;  ///< bytes
};

/// The charts that the results have enough for: three horizons of a schedule.
std::vector<HorizonChart> horizon_charts(const std::vector<CaseResult>& results);

/// A bar for each schedule and horizon. `unicode`: the terminal shows block characters.
std::string horizon_text(const HorizonChart& chart, bool unicode);

/// The chart as one self-contained SVG document: light or dark as the reader's system asks, each line with its name at
/// its end and a tooltip for every point.
std::string horizon_svg(const HorizonChart& chart);

}  // namespace shardbench
