#include "suite/case.hpp"

namespace shardbench {

std::string Case::options_text() const {
  std::string text;
  for (const auto* map : {&options, &backend_options})
    for (const auto& [name, value] : *map) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

std::string name_of(Program program) { return program == Program::training ? "training" : "pipeline"; }

std::string name_of(UnitPolicy unit) { return unit == UnitPolicy::root ? "root" : "layer"; }

}  // namespace shardbench
