#include "cli/suite_laws.hpp"

#include <map>
#include <optional>

#include <boost/dll/shared_library.hpp>

#include "cli/predictions.hpp"
#include "law/collective.hpp"
#include "plugin/loaded.hpp"
#include "plugin/rank_library.hpp"

namespace shardbench {
namespace {

/// The strategies' laws, with what they need loaded at the first question.
class TrainingLaws {
 public:
  explicit TrainingLaws(const Catalogue& catalogue) : catalogue_(catalogue) {}

  std::vector<Law> of(const Case& spec) {
    if (!library_) library_ = load_rank_library();
    auto& plugin = plugins_[spec.strategy];
    if (!plugin) plugin.emplace(*catalogue_.find(PluginKind::strategy, spec.strategy));
    LawInput input;
    library_->get<void(const Case&, LawInput&)>("shardbench_rank_law_input")(spec, input);
    std::vector<Law> laws;
    for (input.rank = 0; input.rank < spec.world; ++input.rank)
      laws.push_back(plugin->descriptor().strategy_law(input));
    return laws;
  }

 private:
  const Catalogue& catalogue_;
  std::optional<boost::dll::shared_library> library_;
  std::map<std::string, std::optional<LoadedPlugin>> plugins_;
};

}  // namespace

std::vector<PredictedCase> suite_laws(const Inputs& inputs) {
  TrainingLaws training(inputs.catalogue);
  std::vector<PredictedCase> cases;
  for (const Suite& suite : inputs.suites)
    for (const Case& spec : suite.cases) {
      PredictedCase& c = cases.emplace_back();
      c.spec = spec;
      switch (spec.program) {
        case Program::training: c.laws = training.of(spec); break;
        case Program::pipeline: c.schedule = predict_schedule(spec, inputs.catalogue); break;
        case Program::collective:
          for (int rank = 0; rank < spec.world; ++rank) c.laws.emplace_back().traffic = collective_traffic(spec, rank);
          break;
      }
    }
  return cases;
}

}  // namespace shardbench
