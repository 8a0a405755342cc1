#include "result/prediction_table.hpp"

#include <fmt/format.h>

#include "result/text_table.hpp"

namespace shardbench {

std::string prediction_table(const std::vector<Prediction>& predictions, const PredictionTable& how) {
  const auto shown = [&](std::uint64_t bytes) { return how.exact ? thousands(bytes) : bytes_text(bytes); };
  const std::string memory = how.memory ? shown(*how.memory) : std::string{};
  TextTable table({{.name = "strategy", .align = Align::left},
                   {.name = "weights"},
                   {.name = "gradients"},
                   {.name = "optimizer state"},
                   {.name = "at rest"},
                   {.name = "in the step"},
                   {.name = "sent per step"},
                   {.name = "fits " + memory, .align = Align::left, .hide_if_empty = true},
                   {.name = "that is", .align = Align::left}});
  for (const Prediction& p : predictions)
    table.add({std::string(p.strategy), shown(p.weights), shown(p.gradients), shown(p.optimizer), shown(p.at_rest()),
               shown(p.in_step), shown(p.sent), how.memory ? (p.in_step <= *how.memory ? "yes" : "no") : "",
               std::string(p.source)});
  std::string text = table.text({});
  if (!how.memory) return text;
  if (const Prediction* best = cheapest_that_fits(predictions, *how.memory))
    return text +
           fmt::format(
               "cheapest on the wire that fits {}: {}, which sends {} per rank and step and has {} in the step\n",
               memory, best->strategy, shown(best->sent), shown(best->in_step));
  return text + fmt::format("none of them fits {}\n", memory);
}

}  // namespace shardbench
