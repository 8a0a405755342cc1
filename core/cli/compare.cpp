#include "cli/commands.hpp"
#include "cli/comparing.hpp"
#include "launch/interrupts.hpp"
#include "result/read_results.hpp"

namespace shardbench {
namespace {

std::vector<RecordedRun> read_all(const std::vector<std::filesystem::path>& paths) {
  std::vector<RecordedRun> runs;
  for (const auto& path : paths) runs.push_back(read_results(path));
  return runs;
}

/// How the newer results themselves ended.
ExitCode exit_code_of(const std::vector<RecordedRun>& runs) {
  ExitCode code = ExitCode::ok;
  for (const RecordedRun& run : runs)
    for (const RecordedCase& c : run.cases) {
      if (c.status == Status::failed) code = graver(code, ExitCode::failed);
      if (c.status == Status::crashed || c.status == Status::timeout) code = graver(code, ExitCode::fault);
    }
  return code;
}

}  // namespace

ExitCode compare(const Arguments& arguments) {
  const auto base = read_all(arguments.compare.base), next = read_all(arguments.compare.next);
  watch_interrupts();
  const Comparison comparison = compare_and_tell(arguments.compare, base, next, arguments.compare.output);
  if (interrupted()) return ExitCode::interrupted;
  return graver(exit_code_of(next), exit_code_of(comparison));
}

}  // namespace shardbench
