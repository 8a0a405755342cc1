#include "draw/phases.hpp"

#include "draw/peak_table.hpp"
#include "draw/step_picture.hpp"

namespace shardbench {

std::string phases_report(const std::vector<CaseResult>& results, const BarStyle& style) {
  const std::string table = peak_table(results, style.text);
  if (table.empty()) return {};
  std::string text = "Inside the step: bytes alive at its peak, by role\n" + table + '\n';
  for (const CaseResult& result : results)
    if (const auto picture = step_picture(result)) text += bars(*picture, style) + '\n';
  return text;
}

}  // namespace shardbench
