#include "suite/case.hpp"

namespace shardbench {

std::string Case::options_text() const {
  std::string text;
  for (const auto* map : {&options, &backend_options})
    for (const auto& [name, value] : *map) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string Case::subject() const {
  switch (program) {
    case Program::training: return strategy;
    case Program::pipeline: return schedule;
    case Program::collective: return operation ? std::string(name_of(*operation)) : std::string{};
  }
  return {};
}

bool one_order_of_sums(const Case& spec) { return spec.program != Program::training || spec.world <= 2; }

std::string name_of(Program program) {
  switch (program) {
    case Program::training: return "training";
    case Program::pipeline: return "pipeline";
    case Program::collective: return "collective";
  }
  return "?";
}

std::string name_of(Expect expect) { return expect == Expect::ok ? "ok" : "diverged"; }

std::string name_of(UnitPolicy unit) { return unit == UnitPolicy::root ? "root" : "layer"; }

}  // namespace shardbench
