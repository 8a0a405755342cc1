#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/inputs.hpp"
#include "host/plugin_host.hpp"
#include "plugin/search.hpp"
#include "shardbench/error.hpp"
#include "suite/load.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

std::string indented(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\n    " : std::string(1, c);
  return out;
}

std::string options_text(const PluginInfo& p) {
  std::string text;
  for (const auto& [name, values] : p.options)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, fmt::join(values, " | "));
  return text;
}

constexpr double patience_to_load_s = 10;

/// Comm and schedule plugins are cheap to load, so their missing symbols are found here; strategies need LibTorch,
/// which only a run loads.
std::string loading_problem(PluginHost& host, const PluginInfo& p) {
  if (p.kind == PluginKind::strategy) return {};
  try {
    host.load(p, patience_to_load_s);
    return {};
  } catch (const Error& e) {
    return e.what();
  }
}

/// Gives the files that the user has named and that are refused.
std::vector<std::string> list_plugins(const Catalogue& catalogue) {
  PluginHost host;
  std::vector<RefusedPlugin> refused = catalogue.refused();
  for (const PluginKind kind : {PluginKind::comm, PluginKind::strategy, PluginKind::schedule}) {
    fmt::print("{} plugins\n", name_of(kind));
    for (const PluginInfo& p : catalogue.plugins()) {
      if (p.kind != kind) continue;
      if (const std::string problem = loading_problem(host, p); !problem.empty()) {
        refused.push_back({p.file, {problem}, p.origin == "--plugin"});
        continue;
      }
      fmt::print("  {:<12} {:<8} {}\n", p.name, p.version, p.description);
      if (!p.optimized) fmt::print("  {:<21} compiled without optimization: its times mean little\n", "");
      if (!p.options.empty()) fmt::print("  {:<21} options: {}\n", "", options_text(p));
      fmt::print("  {:<21} {} ({})\n", "", p.file.string(), p.origin);
    }
  }
  if (!catalogue.shadowed().empty()) fmt::print("shadowed (another of that name is found earlier)\n");
  for (const PluginInfo& p : catalogue.shadowed())
    fmt::print("  {} {} {} ({})\n", name_of(p.kind), p.name, p.file.string(), p.origin);
  if (!refused.empty()) fmt::print("refused\n");
  std::vector<std::string> named;
  for (const RefusedPlugin& r : refused) {
    fmt::print("  {}\n", r.file.string());
    for (const std::string& reason : r.reasons) fmt::print("    {}\n", indented(reason));
    if (r.named) named.push_back(r.file.string());
  }
  return named;
}

void list_suites(const Catalogue& catalogue) {
  fmt::print("suites\n");
  for (const fs::path& folder : suite_folders()) {
    if (!fs::is_directory(folder)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      try {
        const Suite suite = load_suite(file, catalogue);
        fmt::print("  {:<20} {} cases, {}\n", suite.name, suite.cases.size(), file.lexically_normal().string());
      } catch (const Error& e) {
        fmt::print("  {}: not valid: {}\n", file.string(), indented(e.what()));
      }
    }
  }
}

}  // namespace

ExitCode list(const Arguments& arguments) {
  const Catalogue catalogue(default_search(arguments.plugins, {}), Catalogue::Refused::listed);
  const std::vector<std::string> refused = list_plugins(catalogue);
  list_suites(catalogue);
  fmt::print("models\n  {:<12} {}\n", "mlp",
             "layers of Linear and, where asked, relu: widths or layers and width, bias, loss sum | mse");
  if (refused.empty()) return ExitCode::ok;
  std::fflush(stdout);
  throw Error("this plugin cannot be used", fmt::format("{}", fmt::join(refused, ", ")),
              "see the reasons in the list, under 'refused'");
}

ExitCode check(const Arguments& arguments) {
  const Inputs inputs = read_inputs(arguments);
  ExitCode code = ExitCode::ok;
  for (const auto& [id, pipeline] : inputs.pipelines) {
    if (!pipeline.fault) continue;
    fmt::print(stderr, "{}: {}\n", id, pipeline.fault->what());
    code = ExitCode::usage;
  }
  if (code == ExitCode::ok)
    for (const Suite& suite : inputs.suites)
      fmt::print("{}: {} cases, {} expected numbers: valid\n", suite.file, suite.cases.size(),
                 suite.expectations.size());
  return code;
}

}  // namespace shardbench
