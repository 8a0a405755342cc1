#include "cli/rerun.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/fault.hpp"
#include "launch/interrupts.hpp"
#include "launch/process.hpp"
#include "launch/temporary_folder.hpp"
#include "result/read_results.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

/// One program and what it is told each time.
struct Build {
  fs::path program;
  std::vector<std::string> arguments;
};

/// The suites that the cases come from.
std::set<std::string> suites_of(const RerunInput& input) {
  std::set<std::string> files;
  for (const RecordedRun& run : input.measured)
    for (const std::string& id : input.cases)
      if (const RecordedCase* c = run.find(id))
        if (const auto file = c->spec.find("place.file"); file != c->spec.end()) files.insert(file->second);
  for (const std::string& file : files)
    if (!fs::is_regular_file(file))
      throw Error("the suite of the suspects is not here, so they cannot be run again", file,
                  "run the comparison in the folder in which the suite was run, or without --confirm");
  return files;
}

/// --plugin FILE of the command line that gave the results.
std::vector<std::string> plugins_of(const RecordedRun& run) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < run.command_line.size(); ++i) {
    const std::string& word = run.command_line[i];
    if (word.starts_with("--plugin=")) words.push_back(word);
    if (word == "--plugin" && i + 1 < run.command_line.size())
      words.insert(words.end(), {word, run.command_line[i + 1]});
  }
  return words;
}

fs::path program_of(const fs::path& build) {
  fs::path program = fs::is_directory(build) ? build / "bin/shardbench" : build;
  if (::access(program.c_str(), X_OK) != 0 || fs::is_directory(program))
    throw Error("--base-build names no program that can be run", program.string(),
                "name a build folder with bin/shardbench, or the program itself");
  return program;
}

/// Runs it once; what it measured, or what it said where it could not.
struct Once {
  std::optional<RecordedRun> run;
  std::string said;
};

Once run_once(const Build& build, const fs::path& folder) {
  std::vector<std::string> words = {build.program.string()};
  words.insert(words.end(), build.arguments.begin(), build.arguments.end());
  words.insert(words.end(), {"--out", folder.string(), "--benchmark_repetitions=1"});
  std::vector<char*> pointers;
  for (std::string& w : words) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  const fs::path log = folder.string() + ".log";
  Process process(0, log, [&] {
    ::execv(pointers[0], pointers.data());
    return 125;
  });
  while (!process.wait(std::chrono::milliseconds(100)))
    if (interrupted()) return {};
  std::error_code missing;
  if (!fs::is_regular_file(folder / "results.json", missing)) return {{}, last_words(log)};
  return {read_results(folder), {}};
}

}  // namespace

std::string exactly_these(const std::vector<std::string>& texts) {
  constexpr std::string_view special = R"(\^$.|?*+()[]{})";
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += '|';
    for (const char c : text) {
      if (special.find(c) != std::string_view::npos) all += '\\';
      all += c;
    }
  }
  return "^(" + all + ")$";
}

Rerun run_again(const RerunInput& input) {
  std::vector<std::string> arguments = {"run"};
  for (const std::string& suite : suites_of(input)) arguments.push_back(suite);
  arguments.insert(arguments.end(), {"--filter", exactly_these(input.cases)});
  std::vector<Build> builds = {{fs::read_symlink("/proc/self/exe"), arguments}};
  const auto plugins = plugins_of(input.measured.back());
  builds[0].arguments.insert(builds[0].arguments.end(), plugins.begin(), plugins.end());
  if (!input.base_build.empty()) builds.push_back({program_of(input.base_build), arguments});

  const TemporaryFolder folder;
  Rerun again;
  for (int round = 0; round < input.launches; ++round)
    for (std::size_t turn = 0; turn < builds.size(); ++turn) {
      if (interrupted()) return again;
      const bool base = builds.size() == 2 && (turn == 0) == (round % 2 == 0);
      fmt::print(stderr, "confirming {} cases: launch {} of {}{}\n", input.cases.size(), round + 1, input.launches,
                 builds.size() == 1 ? ""
                 : base             ? ", the base's build"
                                    : ", this build");
      Once once = run_once(builds[base ? 1 : 0], folder.path() / fmt::format("{}-{}", round, base ? "base" : "new"));
      if (once.run) {
        (base ? again.base : again.next).push_back(std::move(*once.run));
      } else if (!interrupted() && base) {
        fmt::print(stderr, "the base's build cannot run them; the re-run is held against its old results\n{}\n",
                   once.said);
        builds.pop_back();
      } else if (!interrupted()) {
        throw Error("the suspects cannot be run again: " + once.said, "--confirm", "run their suite to see why");
      }
    }
  return again;
}

}  // namespace shardbench
