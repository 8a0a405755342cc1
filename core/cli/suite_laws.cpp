#include "cli/suite_laws.hpp"

#include "law/collective.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Fills in the laws of one case.
void predict_case(const Inputs& inputs, PredictedCase& c) {
  const Case& spec = c.spec;
  switch (spec.program) {
    case Program::training:
      c.laws = inputs.host->laws(*inputs.catalogue.find(PluginKind::strategy, spec.strategy), spec);
      break;
    case Program::pipeline: {
      const PredictedPipeline& pipeline = inputs.pipelines.at(spec.id);
      if (pipeline.fault) throw *pipeline.fault;
      c.schedule = pipeline.schedule;
      break;
    }
    case Program::collective:
      for (int rank = 0; rank < spec.world; ++rank) c.laws.emplace_back().traffic = collective_traffic(spec, rank);
      break;
  }
}

}  // namespace

std::vector<PredictedCase> suite_laws(const Inputs& inputs) {
  std::vector<PredictedCase> cases;
  for (const Suite& suite : inputs.suites)
    for (const Case& spec : suite.cases) {
      PredictedCase& c = cases.emplace_back();
      c.spec = spec;
      try {
        predict_case(inputs, c);
      } catch (const Error& e) {
        c.problem = e.what();
      }
    }
  return cases;
}

}  // namespace shardbench
