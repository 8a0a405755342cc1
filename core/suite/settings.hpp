#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "suite/case.hpp"
#include "suite/table_reader.hpp"

namespace shardbench {

/// An option of a plugin, with its values.
struct OptionAxis {
  std::string key;  ///< "training.options.partition"
  Axis<std::string> axis;
};
using OptionAxes = std::map<std::string, OptionAxis>;

/// The keys of one [[training]], [[pipeline]], [[collective]] or [defaults] table. What they may be is docs/suites.md.
struct Settings {
  Place place;
  std::string table;  ///< "training", "pipeline", "collective" or "defaults"
  Setting<std::string> name;
  Axis<std::string> subject;  ///< strategy, schedule or operation
  Axis<std::string> backend, unit, model, optimizer;
  Axis<DType> dtype;
  Axis<std::int64_t> world, horizon;
  Axis<std::int64_t> bytes;     ///< collective
  Axis<std::string> reduction;  ///< collective; this and the following two
  Axis<std::string> values;
  Axis<bool> in_place;
  Setting<std::int64_t> batch, steps, warmup, iterations, launches, seed;
  Setting<double> deadline_s;
  Setting<std::string> expect;
  OptionAxes options, backend_options;
};

/// Most ranks of a case, and most microbatches of a step.
inline constexpr std::int64_t most_ranks = 64, most_microbatches = 65536;

Settings read_training(TableReader reader);
Settings read_pipeline(TableReader reader);
Settings read_collective(TableReader reader, Problems& problems);
/// The keys of training and pipeline, but for `name`, `strategy` and `schedule`.
Settings read_defaults(TableReader reader);

/// `table` with what it does not say taken from `defaults`; options are taken one by one.
Settings with_defaults(Settings table, const Settings& defaults);

}  // namespace shardbench
