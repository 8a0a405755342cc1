#include "draw/peak_table.hpp"

#include "draw/step_picture.hpp"
#include "result/text_table.hpp"

namespace shardbench {

std::string peak_table(const std::vector<CaseResult>& results, TextStyle style) {
  std::vector<TextTable::Heading> headings = {{.name = "study", .align = Align::left, .hide_if_empty = true},
                                              {.name = "model", .align = Align::left, .hide_if_same = true},
                                              {.name = "subject", .align = Align::left},
                                              {.name = "options", .align = Align::left, .hide_if_empty = true},
                                              {.name = "optimizer", .align = Align::left, .hide_if_same = true},
                                              {.name = "world"},
                                              {.name = "unit", .align = Align::left, .hide_if_empty = true},
                                              {.name = "horizon", .hide_if_empty = true},
                                              {.name = "peak"},
                                              {.name = "predicted"},
                                              {.name = "moment", .align = Align::left}};
  for (std::size_t r = 0; r < role_count; ++r) headings.push_back({.name = std::string(name_of(static_cast<Role>(r)))});
  TextTable table(std::move(headings));
  for (const CaseResult& result : results) {
    const auto picture = step_picture(result);
    if (!picture) continue;
    const Case& spec = result.spec;
    const bool training = spec.program == Program::training, pipeline = spec.program == Program::pipeline;
    const std::string optimizer = spec.optimize ? std::string(name_of(spec.optimizer.kind)) : pipeline ? "none" : "";
    std::vector<std::string> cells = {spec.study,
                                      spec.model.name,
                                      spec.subject(),
                                      spec.options_text(),
                                      optimizer,
                                      std::to_string(spec.world),
                                      training ? name_of(spec.unit) : "",
                                      pipeline ? std::to_string(spec.horizon) : "",
                                      thousands(picture->peak),
                                      picture->law ? thousands(*picture->law) : "-",
                                      picture->moment};
    for (const std::uint64_t bytes : picture->at_peak) cells.push_back(thousands(bytes));
    table.add(std::move(cells));
  }
  return table.empty() ? std::string{} : table.text(style);
}

}  // namespace shardbench
