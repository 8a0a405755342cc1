#pragma once
#include <map>
#include <optional>
#include <string>

#include "result/case_result.hpp"

namespace shardbench {

/// A case's time over another's, judged by launches: samples within one are not independent, launches are.
struct LaunchRatio {
  double ratio = 1;  ///< of the medians over launches of the launches' medians
  double least = 1;  ///< this one's fastest launch over the other's slowest
  double most = 1;   ///< this one's slowest launch over the other's fastest
  int launches = 0;  ///< of the one that has fewer

  /// Within 15 %, below which nothing is a difference on one machine (two runs of the same move by 7 %), or the ranges
  /// of the launches overlap.
  bool same() const;
  /// Not the same, and there were launches enough to say so.
  bool slower() const { return ratio > 1 && !same() && launches > 1; }
};

/// Nothing where one of them has no samples.
std::optional<LaunchRatio> launch_ratio(const CaseResult& result, const CaseResult& base);

/// "0.52 (0.48 to 0.57)", "no difference (0.97)"; with one launch, of which there is no spread, "0.52 (1 launch)".
std::string text(const LaunchRatio& ratio);

/// A column of a table: the time of each case over that of the first one of the same work, which another backend did.
class TimeOverFirst {
 public:
  /// Empty for the first one itself, "-" where there is nothing to compare. Cases come in the order of the rows and
  /// outlive this.
  std::string of(const CaseResult& result);

 private:
  std::map<std::string, const CaseResult*> first_;  ///< by `work_of`
};

}  // namespace shardbench
