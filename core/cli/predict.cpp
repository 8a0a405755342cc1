#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "cli/suite_laws.hpp"
#include "law/predict.hpp"
#include "result/prediction_table.hpp"
#include "result/text_table.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

OptimizerKind optimizer_named(const std::string& name) {
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::momentum})
    if (name_of(kind) == name) return kind;
  return OptimizerKind::adamw;
}

PredictionInput input_of(const PredictArguments& a) {
  const OptimizerKind optimizer = optimizer_named(a.optimizer);
  const auto dtype = dtype_named(a.precision);
  return {.parameters = static_cast<std::uint64_t>(std::llround(a.parameters)),
          .ranks = a.ranks,
          .bytes = dtype ? one_precision(*dtype, optimizer) : mixed_precision(optimizer),
          .units = a.units};
}

std::optional<std::uint64_t> memory_of(const PredictArguments& a) {
  if (a.memory.empty()) return std::nullopt;
  const auto bytes = parse_bytes(a.memory);
  if (!bytes)
    throw Error("'" + a.memory + "' is no number of bytes", "--memory", "write for example 80GB (1e9 bytes) or 80GiB");
  return bytes;
}

bool wanted(const PredictArguments& a, const Prediction& p) {
  if (a.strategies.empty()) return true;
  for (const std::string& name : a.strategies)
    if (p.strategy.substr(0, p.strategy.find(' ')) == name) return true;
  return false;
}

}  // namespace

ExitCode predict(const Arguments& arguments) {
  if (!arguments.suites.empty()) {
    const std::vector<PredictedCase> cases = suite_laws(read_inputs(arguments));
    fmt::print("{}", predicted_cases(cases));
    fmt::print("Bytes of the rank with the largest value, by the laws alone: nothing was run.\n");
    ExitCode code = ExitCode::ok;
    for (const PredictedCase& c : cases) {
      if (c.problem.empty()) continue;
      fmt::print(stderr, "{}: {}\n", c.spec.id, c.problem);
      code = ExitCode::fault;
    }
    return code;
  }
  const PredictArguments& a = arguments.predict;
  const PredictionInput in = input_of(a);
  const auto memory = memory_of(a);
  std::vector<Prediction> predictions;
  for (const Prediction& p : predict(in))
    if (wanted(a, p)) predictions.push_back(p);
  fmt::print("Bytes per rank: {} parameters on {} rank{}, {}, {} ({} + {} + {} bytes per parameter), {} unit{}\n",
             thousands(in.parameters), in.ranks, in.ranks == 1 ? "" : "s", a.optimizer, a.precision, in.bytes.weight,
             in.bytes.gradient, in.bytes.optimizer, in.units, in.units == 1 ? "" : "s");
  fmt::print("{}", prediction_table(predictions, {memory, a.bytes}));
  fmt::print(
      "1 GB is 1e9 bytes. Activations, the gradients of the layer at work and AdamW's step counters (4 bytes per "
      "tensor) come on top.\n");
  return ExitCode::ok;
}

}  // namespace shardbench
