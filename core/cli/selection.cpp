#include "cli/selection.hpp"

#include <regex>
#include <string>

#include "cli/predictions.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

std::regex compiled(const char* flag, const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& e) {
    throw Error("'" + text + "' is not a regular expression: " + e.what(), flag, "see ECMAScript's syntax");
  }
}

class Selection {
 public:
  explicit Selection(const Arguments& arguments) : own_(compiled("--filter", arguments.filter)) {
    std::string theirs = arguments.benchmark_flag("filter", "all");
    negative_ = theirs.starts_with('-');
    if (negative_) theirs.erase(0, 1);
    if (theirs == "all") theirs.clear();
    theirs_ = compiled("--benchmark_filter", theirs);
  }
  bool takes(const std::string& id) const {
    return std::regex_search(id, own_) && std::regex_search(id, theirs_) != negative_;
  }

 private:
  std::regex own_, theirs_;
  bool negative_ = false;
};

/// "strategy mine, comm slow": those of its plugins that were compiled without optimization.
std::string unoptimized_plugins(const Case& spec, const Catalogue& catalogue) {
  std::vector<const PluginInfo*> plugins = {catalogue.find(PluginKind::comm, spec.backend)};
  if (spec.program == Program::training) plugins.push_back(catalogue.find(PluginKind::strategy, spec.strategy));
  if (spec.program == Program::pipeline) plugins.push_back(catalogue.find(PluginKind::schedule, spec.schedule));
  std::string names;
  for (const PluginInfo* plugin : plugins)
    if (!plugin->optimized) names += (names.empty() ? "" : ", ") + name_of(plugin->kind) + " " + plugin->name;
  return names;
}

void take_prediction(const PredictedPipeline& pipeline, CaseResult& result) {
  result.schedule = pipeline.schedule;
  if (pipeline.fault) lose(result, pipeline.fault->kind(), pipeline.fault->line());
}

}  // namespace

std::string filter_text(const Arguments& arguments) {
  const std::string theirs = arguments.benchmark_flag("filter", "all");
  if (theirs == "all") return arguments.filter;
  return arguments.filter + (arguments.filter.empty() ? "" : " and ") + theirs;
}

std::vector<SelectedCase> selected_cases(const Arguments& arguments, const Inputs& inputs) {
  const Selection selection(arguments);
  std::vector<SelectedCase> selected;
  for (std::size_t s = 0; s < inputs.suites.size(); ++s)
    for (const Case& c : inputs.suites[s].cases) {
      if (!selection.takes(c.id)) continue;
      SelectedCase& one = selected.emplace_back();
      one.suite = s;
      one.result.spec = c;
      one.result.spec.iterations = arguments.iterations.value_or(c.iterations);
      one.result.spec.warmup = arguments.warmup.value_or(c.warmup);
      one.result.unoptimized = unoptimized_plugins(c, inputs.catalogue);
      if (c.program == Program::pipeline) take_prediction(inputs.pipelines.at(c.id), one.result);
    }
  return selected;
}

}  // namespace shardbench
