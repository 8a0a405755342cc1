#include <cstdio>
#include <exception>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "shardbench/error.hpp"

int main(int argc, char** argv) {
  using namespace shardbench;
  try {
    const Parsed parsed = parse_arguments(argc, argv);
    if (parsed.done) return parsed.status;
    switch (parsed.arguments.command) {
      case Arguments::Command::run: return static_cast<int>(run(parsed.arguments));
      case Arguments::Command::list: return static_cast<int>(list(parsed.arguments));
      case Arguments::Command::check: return static_cast<int>(check(parsed.arguments));
      case Arguments::Command::predict: return static_cast<int>(predict(parsed.arguments));
      case Arguments::Command::simulate: return static_cast<int>(simulate(parsed.arguments));
      case Arguments::Command::schedule: return static_cast<int>(schedule(parsed.arguments));
      case Arguments::Command::rank: return rank(parsed.arguments);
      case Arguments::Command::report: return static_cast<int>(report(parsed.arguments));
      case Arguments::Command::compare: return static_cast<int>(compare(parsed.arguments));
      case Arguments::Command::history: return static_cast<int>(history(parsed.arguments));
      case Arguments::Command::gate_check: return static_cast<int>(gate_check(parsed.arguments));
    }
  } catch (const Error& e) {
    std::fprintf(stderr, "shardbench: %s\n", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "shardbench: %s\n", e.what());
  }
  return static_cast<int>(ExitCode::usage);
}
