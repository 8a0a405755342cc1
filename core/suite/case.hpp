#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "shardbench/comm.hpp"
#include "shardbench/dtype.hpp"
#include "shardbench/optimizer_spec.hpp"
#include "suite/collective.hpp"

namespace shardbench {

/// A place in a suite file, for messages: "suites/a.toml:7:9".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const { return file + ":" + std::to_string(line) + ":" + std::to_string(column); }
};

enum class Program { training, pipeline, collective };
enum class UnitPolicy { root, layer };
enum class Activation { none, relu };
enum class Loss { sum, mse };
enum class Expect { ok, diverged };

/// A model, by the shapes of its layers: layer i is Linear(widths[i], widths[i+1]) and, where asked, the activation.
struct ModelSpec {
  std::string name;  ///< its name in the suite
  std::string kind = "mlp";
  std::vector<std::int64_t> widths;
  bool bias = true;
  Activation activation = Activation::none;
  Loss loss = Loss::sum;  ///< sum of the outputs, or mean squared error against ones
  int layers() const { return static_cast<int>(widths.size()) - 1; }
};

/// One point of a suite, complete: what the ranks need and nothing that they do not.
struct Case {
  std::string id;     ///< stable across runs and machines
  std::string suite;  ///< name of the suite
  std::string study;  ///< `name` of the table, or empty
  Program program = Program::training;
  std::string strategy;                 ///< training, else empty
  std::string schedule;                 ///< pipeline, else empty
  std::optional<Collective> operation;  ///< collective, else nothing
  std::uint64_t bytes = 0;              ///< of the whole array (collective with an array, else 0)
  ReduceOp reduction = ReduceOp::sum;   ///< collective that reduces
  Values values = Values::exact;        ///< collective that reduces
  bool in_place = false;                ///< collective that has both forms: input and output share memory
  std::string backend = "gloo";
  int world = 1;
  int horizon = 0;  ///< microbatches per step (pipeline), else 0
  ModelSpec model;
  UnitPolicy unit = UnitPolicy::root;
  OptimizerSpec optimizer;
  bool optimize = true;  ///< false: the step has no update (optimizer = "none", pipeline only)
  DType dtype = DType::float32;
  std::map<std::string, std::string> options;          ///< of the strategy or schedule
  std::map<std::string, std::string> backend_options;  ///< of the backend
  std::int64_t batch = 32;                             ///< rows: per rank (training), of the whole step (pipeline)
  int steps = 3;                                       ///< checked steps: losses and parameters are compared after them
  int warmup = 1;                                      ///< untimed steps before the timed ones
  int iterations = 5;                                  ///< timed steps per launch
  int launches = 1;
  std::uint64_t seed = 0;
  Expect expect = Expect::ok;  ///< diverged: numbers that are not finite come up, in the reference too
  double deadline_s = 60;      ///< for one launch of the case, start to end
  Place place;                 ///< the table it comes from

  /// The strategy, the schedule or the operation.
  std::string subject() const;
  /// "partition=flat bucket=1", or empty: the column `options`.
  std::string options_text() const;
};

/// A number that a reference file demands of a case.
struct Expectation {
  std::string case_id;
  std::optional<int> rank;  ///< nothing: of every rank
  std::string quantity;     ///< a column of ranks.csv
  double value = 0;         ///< met exactly, or
  bool at_most = false;     ///< ... not exceeded
  std::string source;       ///< where the number comes from
  Place place;
};

/// A suite file, typed, validated and expanded.
struct Suite {
  std::string name;
  std::string file;
  std::vector<Case> cases;
  std::vector<Expectation> expectations;
  std::string reference_file;  ///< empty if none
  std::vector<std::string> plugin_path;
  bool phases = false;  ///< a run prints what is alive in each phase of a step
};

/// Whether the gradients of a step have one order of additions: two ranks have, and a pipeline, whose plan says it.
/// More ranks add as their backend's algorithm does.
bool one_order_of_sums(const Case& spec);

std::string name_of(Program program);
std::string name_of(UnitPolicy unit);
std::string name_of(Expect expect);

}  // namespace shardbench
