#include "cli/measured_with.hpp"

#include "plugin/search.hpp"
#include "shardbench/error.hpp"
#include "suite/load.hpp"

namespace shardbench {

namespace fs = std::filesystem;

std::set<std::string> suites_of(const std::vector<RecordedRun>& measured, const std::vector<std::string>& cases) {
  std::set<std::string> files;
  for (const RecordedRun& run : measured)
    for (const std::string& id : cases)
      if (const RecordedCase* c = run.find(id))
        if (const auto file = c->spec.find("place.file"); file != c->spec.end()) files.insert(file->second);
  for (const std::string& file : files)
    if (!fs::is_regular_file(file))
      throw Error("the suite of the suspects is not here, so they cannot be run again", file,
                  "run the comparison in the folder in which the suite was run, or without a re-run (--no-confirm)");
  return files;
}

std::vector<std::string> options_in(const std::vector<std::string>& typed, const std::vector<std::string>& options) {
  std::vector<std::string> words;
  for (const std::string& option : options)
    for (std::size_t i = 0; i < typed.size(); ++i) {
      if (typed[i].starts_with(option + '=')) words.insert(words.end(), {option, typed[i].substr(option.size() + 1)});
      if (typed[i] == option && i + 1 < typed.size()) words.insert(words.end(), {option, typed[i + 1]});
    }
  return words;
}

std::vector<fs::path> plugins_at_hand(const std::vector<RecordedRun>& measured, const std::vector<std::string>& cases) {
  std::vector<fs::path> named, of_suites, files;
  const auto typed = options_in(measured.back().command_line, {"--plugin"});
  for (std::size_t i = 1; i < typed.size(); i += 2) named.emplace_back(typed[i]);
  for (const std::string& suite : suites_of(measured, cases))
    for (const std::string& path : read_plugin_path(suite)) of_suites.emplace_back(path);
  const Catalogue catalogue(default_search(named, of_suites));
  for (const auto* found : {&catalogue.plugins(), &catalogue.shadowed()})
    for (const PluginInfo& plugin : *found) files.push_back(plugin.file);
  return files;
}

}  // namespace shardbench
