#include <algorithm>

#include <fmt/format.h>

#include "compare/compare.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

/// What a re-run of one case by one build has to be like.
struct Expected {
  const std::vector<RecordedRun>& measured;  ///< the results of that build
  const char* whose;                         ///< "the base", "this build"
};

/// Why a plugin of the re-run is not the one that was measured, or empty. Plugins of a build's own go with its commit;
/// those from outside are known by their content alone.
std::string other_plugin(const RecordedRun& run, const RecordedCase& c, const Expected& expected) {
  for (const RecordedRun& measured : expected.measured)
    if (const RecordedCase* m = measured.find(c.id))
      for (const PluginFile& before : measured.plugins_of(*m))
        for (const PluginFile& now : run.plugins_of(c)) {
          const bool own = !before.outside && !now.outside;
          if (before.kind == now.kind && before.name == now.name && before.sha1 != now.sha1 && !own)
            return fmt::format("the re-run of {} had another {} {}: {} was measured, {} ran again", expected.whose,
                               before.kind, before.name, before.sha1.substr(0, 12), now.sha1.substr(0, 12));
        }
  return {};
}

/// Re-runs of one metric of one case.
class Again {
 public:
  Again(const std::string& id, const std::string& metric, const std::vector<RecordedRun>& next,
        const std::vector<std::string>& allow)
      : id_(id), metric_(metric), next_(next), allow_(allow) {}

  /// The median over the launches of a run, or nothing where it did not run well.
  std::optional<double> median_of(const RecordedRun& run, const Expected& expected) {
    const RecordedCase* c = run.find(id_);
    if (c == nullptr || c->status != Status::ok) return std::nullopt;
    check(run, *c, expected);
    LaunchMedians medians;
    for (const RecordedLaunch& launch : c->launches)
      if (const auto seconds = launch.times.find(metric_)) medians.push_back(*seconds);
    if (medians.empty()) return std::nullopt;
    return median(std::move(medians));
  }

  /// Why they confirm nothing, or empty.
  const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  void check(const RecordedRun& run, const RecordedCase& c, const Expected& expected) {
    for (const RecordedRun& measured : next_)
      if (const RecordedCase* m = measured.find(id_))
        for (const FieldDifference& d : differences(fingerprint_of(measured, *m), fingerprint_of(run, c)))
          if (std::find(allow_.begin(), allow_.end(), d.field) == allow_.end())
            obstacle_ = "the re-run is not comparable: " + text(d);
    if (std::string other = other_plugin(run, c, expected); !other.empty()) obstacle_ = std::move(other);
  }

  const std::string &id_, &metric_;
  const std::vector<RecordedRun>& next_;
  const std::vector<std::string>& allow_;
  std::string obstacle_;
};

}  // namespace

std::vector<std::string> suspects(const Comparison& comparison) {
  std::vector<std::string> ids;
  for (const CaseVerdict& c : comparison.cases)
    if (std::any_of(c.metrics.begin(), c.metrics.end(), [](const MetricVerdict& m) { return m.worth_rerun; }))
      ids.push_back(c.id);
  return ids;
}

void leave_suspect(Comparison& comparison, const std::string& id, const std::string& why) {
  for (CaseVerdict& c : comparison.cases)
    for (MetricVerdict& m : c.metrics)
      if (c.id == id && m.worth_rerun) {
        m.worth_rerun = false;
        m.reason = why;
      }
}

void confirm(Comparison& comparison, const std::vector<RecordedRun>& base, const std::vector<RecordedRun>& next,
             const std::vector<Turn>& turns) {
  comparison.confirmed = true;
  const bool in_turns = std::any_of(turns.begin(), turns.end(), [](const Turn& t) { return t.base.has_value(); });
  for (CaseVerdict& c : comparison.cases)
    for (MetricVerdict& m : c.metrics) {
      if (!m.worth_rerun) continue;
      Again again(c.id, m.metric, next, comparison.allowed_fields);
      m.base_again.clear();
      m.next_again.clear();
      for (const Turn& turn : turns) {
        const auto before = turn.base ? again.median_of(*turn.base, {base, "the base"}) : std::nullopt;
        const auto now = again.median_of(turn.next, {next, "this build"});
        if (!now || (in_turns && !before)) continue;
        if (before) m.base_again.push_back(*before);
        m.next_again.push_back(*now);
      }
      TimeJudgement j = confirm_times(m.base_launches, m.next_launches, m.base_again, m.next_again, m.rule);
      if (!again.obstacle().empty()) {
        j.change = Change::suspect;
        j.worth_rerun = false;
        j.reason = again.obstacle();
      }
      take_judgement(m, j);
    }
}

}  // namespace shardbench
