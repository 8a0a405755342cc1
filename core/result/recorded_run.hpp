#pragma once
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/case_result.hpp"
#include "result/fingerprint.hpp"
#include "result/machine_load.hpp"
#include "suite/gate.hpp"

/// A run as its results tell it, read back: what `compare`, `history` and `report` work on. The names in it are the
/// columns of results/README.md.

namespace shardbench {

/// Numbers by name, in the order of the file. Rows of one file share their names, so a row costs its numbers alone.
class Quantities {
 public:
  using Names = std::shared_ptr<const std::vector<std::string>>;

  Quantities() = default;
  /// NaN stands for null in the file: not applicable, or no number. Throws std::invalid_argument where the lengths
  /// differ.
  Quantities(Names names, std::vector<double> values);

  /// Nothing where there is no such name, or no number under it.
  std::optional<double> find(std::string_view name) const;

  std::size_t size() const noexcept { return values_.size(); }
  const std::string& name(std::size_t index) const { return names_->at(index); }
  /// NaN where the file has null.
  double value(std::size_t index) const { return values_.at(index); }

 private:
  Names names_;
  std::vector<double> values_;
};

/// What a rank counted in one launch.
struct RecordedRank {
  int rank = 0;
  Quantities quantities;       ///< as in ranks.csv
  Quantities law;              ///< by the name of the quantity that it predicts
  std::string peak_moment;     ///< "backward of unit 0"
  std::vector<double> losses;  ///< per checked step; NaN where it was none
};

/// Seconds of the timed steps of one rank, by phase: "step", and the names of `step_phases`.
using PhaseSamples = std::map<std::string, std::vector<double>>;

/// The same of one stage, for one microbatch: by the names of `stage_phases`.
struct StageSamples {
  int rank = 0, stage = 0;
  PhaseSamples seconds;
};

/// One start of the ranks.
struct RecordedLaunch {
  std::vector<RecordedRank> ranks;
  std::string rejected_by;            ///< the invariant for which its samples do not count; it has none then
  std::vector<double> seconds;        ///< raw: each timed step, over all ranks (the slowest)
  std::vector<PhaseSamples> samples;  ///< raw, per rank; a run in a history keeps none
  std::vector<StageSamples> stages;   ///< raw, of a pipeline; a run in a history keeps none
  /// Medians over the timed steps of this launch, of the slowest rank: step_median_s, and a column for each phase.
  /// Empty where nothing was timed.
  Quantities times;
};

/// Whether it is a column that `RecordedLaunch::times` may have: seconds, of each launch.
bool is_launch_time(std::string_view column);

/// One case of a run.
struct RecordedCase {
  std::string id;
  Status status = Status::skipped;
  std::string detail;
  std::map<std::string, std::string> identity;  ///< program, strategy, world, ..., as the CSV files show them
  std::map<std::string, std::string> settings;  ///< batch, wait_mode, oversubscribed, ..., likewise
  std::map<std::string, std::string> spec;      ///< what the suite says of it, flat: "model.widths" -> "[256,256]"
  std::map<std::string, std::string> backend;   ///< what the first rank's backend tells of itself
  Quantities quantities;                        ///< as in results.csv
  std::vector<InvariantOutcome> invariants;
  std::vector<RecordedLaunch>
      launches;  ///< empty where the case gave nothing; a history keeps ranks of the first alone
};

/// One call of `shardbench run`.
struct RecordedRun {
  std::filesystem::path file;  ///< where it was read from
  std::string suite;
  std::string started;   ///< UTC, "2026-07-30T14:05:09Z"
  std::string finished;  ///< empty where it was cut short
  std::vector<std::string> command_line;
  Environment environment;
  std::map<std::string, Gate> gates;  ///< of the suites, by name
  std::string filter;                 ///< which cases of the suite were chosen (`run --filter`), or empty: all
  std::string injected;               ///< what was planted on purpose (`run --inject`), or empty
  /// Its comparison found a regression, or left a suspect undecided; not in the results, which come first.
  bool regressed = false;
  std::optional<MachineLoad> load;  ///< what else the machine did; not in a run cut short, nor in a history
  std::vector<RecordedCase> cases;

  /// Null where there is none.
  const RecordedCase* find(std::string_view id) const;
  /// The plugins that the case used.
  std::vector<PluginFile> plugins_of(const RecordedCase& c) const;
  /// It came to its end, has cases, each of them is `ok`, nothing was planted, and no regression was found.
  bool green() const;
};

}  // namespace shardbench
