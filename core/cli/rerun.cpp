#include "cli/rerun.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/replace.hpp>

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

/// Those of the options, with their values, that are on a command line.
std::vector<std::string> options_in(const std::vector<std::string>& typed, const std::vector<std::string>& options) {
  std::vector<std::string> words;
  for (const std::string& option : options)
    for (std::size_t i = 0; i < typed.size(); ++i) {
      if (typed[i].starts_with(option + '=')) words.push_back(typed[i]);
      if (typed[i] == option && i + 1 < typed.size()) words.insert(words.end(), {option, typed[i + 1]});
    }
  return words;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
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

fs::path build_of(const fs::path& base_build, const std::vector<RecordedRun>& base) {
  constexpr const char* the_commit = "{commit}";
  if (!boost::contains(base_build.native(), the_commit)) return base_build;
  std::set<std::string> commits;
  for (const RecordedRun& run : base) commits.insert(run.environment.commit_text());
  if (commits.size() != 1)
    throw Error(fmt::format("--base-build has one {{commit}}, but the base has results of {}: {}", commits.size(),
                            fmt::join(commits, ", ")),
                base_build.string(), "name the build itself");
  const std::string path = boost::replace_all_copy(base_build.string(), the_commit, *commits.begin());
  if (fs::exists(path)) return path;
  fmt::print(stderr, "the base's build is not there, so the re-run is held against its old results: {}\n", path);
  return {};
}

std::vector<Turn> run_again(const RerunInput& input) {
  std::vector<std::string> arguments = {"run"};
  for (const std::string& suite : suites_of(input)) arguments.push_back(suite);
  arguments.insert(arguments.end(), {"--filter", exactly_these(input.cases)});
  const std::vector<std::string>& typed = input.measured.back().command_line;
  append(arguments, options_in(typed, {"--iterations", "--warmup"}));
  Build next{fs::read_symlink("/proc/self/exe"), arguments};
  append(next.arguments, options_in(typed, {"--plugin", "--inject"}));
  std::optional<Build> base;
  if (!input.base_build.empty()) base = Build{program_of(input.base_build), arguments};

  const TemporaryFolder folder;
  std::vector<Turn> turns;
  for (std::size_t turn = input.before; turns.size() < static_cast<std::size_t>(input.launches); ++turn) {
    const auto once = [&](const Build& build, const char* whose) {
      fmt::print(stderr, "confirming {} cases: launch {}{}\n", input.cases.size(), turn + 1, whose);
      return run_once(build, folder.path() / fmt::format("{}{}", turn, &build == &next ? "" : "-base"));
    };
    std::optional<Once> before, now;
    if (base && turn % 2 == 0) before = once(*base, ", the base's build");
    if (!interrupted()) now = once(next, base ? ", this build" : "");
    if (base && turn % 2 == 1 && !interrupted()) before = once(*base, ", the base's build");
    if (interrupted()) break;
    if (!now->run)
      throw Error("the suspects cannot be run again: " + now->said, "--confirm", "run their suite to see why");
    if (before && !before->run) {
      fmt::print(stderr, "the base's build cannot run them; the re-run is held against its old results\n{}\n",
                 before->said);
      base.reset();
      for (Turn& t : turns) t.base.reset();
    }
    turns.push_back({before ? std::move(before->run) : std::nullopt, std::move(*now->run)});
  }
  return turns;
}

}  // namespace shardbench
