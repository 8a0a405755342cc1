#include "cli/rerun.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/measured_with.hpp"
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
  bool own_plugins = false;  ///< those of SHARDBENCH_PLUGIN_PATH are the other build's
};

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
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
    if (build.own_plugins) ::unsetenv("SHARDBENCH_PLUGIN_PATH");
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

std::vector<Turn> run_again(const RerunInput& input) {
  std::vector<std::string> arguments = {"run"};
  for (const std::string& suite : suites_of(input.measured, input.cases)) arguments.push_back(suite);
  arguments.insert(arguments.end(), {"--filter", exactly_these(input.cases)});
  const std::vector<std::string>& typed = input.measured.back().command_line;
  append(arguments, options_in(typed, {"--iterations", "--warmup"}));
  Build next{fs::read_symlink("/proc/self/exe"), arguments};
  append(next.arguments, options_in(typed, {"--plugin", "--inject"}));
  std::optional<Build> base;
  if (input.base_build.exists()) {
    base = Build{input.base_build.program(), arguments, true};
    for (const fs::path& file : input.base_plugins) append(base->arguments, {"--plugin", file.string()});
  }

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
