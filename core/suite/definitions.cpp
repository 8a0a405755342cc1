#include "suite/definitions.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace shardbench {
namespace {

constexpr std::int64_t most_layers = 10000;

/// The widths from the keys `widths` or `layers` and `width`; reports when they are not exactly one of the two.
std::vector<std::int64_t> read_widths(TableReader& reader, const std::string& name, Problems& problems) {
  const auto layers = reader.one("layers", IntegerReader{1, most_layers});
  const auto width = reader.one("width", IntegerReader{1, most_elements});
  const std::size_t before = problems.count();
  const auto widths = reader.list("widths", IntegerReader{1, most_elements});
  const std::string cure = "give either layers and width, or widths = [input, ..., output]";
  if (widths.given && (layers.given || width.given)) {
    const bool layers_too = layers.given;
    problems.add(fmt::format("model.{} has widths and also {}", name, layers_too ? "layers" : "width"),
                 layers_too ? layers.place : width.place, cure);
  } else if (!widths.given && !layers.given && !width.given) {
    problems.add(fmt::format("model.{} has no widths", name), reader.place(), cure);
  } else if (!widths.given && !(layers.given && width.given)) {
    problems.add(fmt::format("model.{} has {} without {}", name, layers.given ? "layers" : "width",
                             layers.given ? "width" : "layers"),
                 layers.given ? layers.place : width.place, cure);
  }
  if (layers.value && width.value)
    return std::vector<std::int64_t>(static_cast<std::size_t>(*layers.value) + 1, *width.value);
  std::vector<std::int64_t> values;
  for (const auto& placed : widths.values) values.push_back(placed.value);
  if (values.size() == 1 && problems.count() == before)
    problems.add(
        fmt::format("model.{}.widths has 1 entry, but 2 or more are needed: layer i goes from entry i to i + 1", name),
        widths.place, "write widths = [input, ..., output]");
  return values;
}

/// Reports a model whose parameters are more than `most_elements`.
bool check_parameters(const ModelSpec& model, const Place& place, Problems& problems) {
  std::int64_t parameters = 0;
  for (std::size_t i = 0; i + 1 < model.widths.size(); ++i) {
    // Below 2^62 + 2^31 + 2^31, so it does not overflow.
    parameters += model.widths[i] * model.widths[i + 1] + (model.bias ? model.widths[i + 1] : 0);
    if (parameters <= most_elements) continue;
    problems.add(fmt::format("model.{} has more than {} parameters (2^31 - 1): {} after layer {}", model.name,
                             most_elements, parameters, i),
                 place, "make it narrower or give it fewer layers");
    return false;
  }
  return true;
}

std::optional<ModelSpec> read_model(const std::string& name, TableReader reader, Problems& problems) {
  ModelSpec model;
  model.name = name;
  model.kind = reader.one("kind", ChoiceReader{{"mlp"}}).value.value_or(model.kind);
  const std::size_t before = problems.count();
  model.widths = read_widths(reader, name, problems);
  const bool shape_known = problems.count() == before;
  model.bias = reader.one("bias", BooleanReader{}).value.value_or(model.bias);
  if (reader.one("activation", ChoiceReader{{"none", "relu"}}).value == "relu") model.activation = Activation::relu;
  if (reader.one("loss", ChoiceReader{{"sum", "mse"}}).value == "mse") model.loss = Loss::mse;
  reader.finish();
  const bool fits = check_parameters(model, reader.place(), problems);
  return shape_known && fits ? std::optional(model) : std::nullopt;
}

std::optional<OptimizerKind> kind_named(std::string_view name) {
  for (const auto kind : {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum})
    if (name_of(kind) == name) return kind;
  return std::nullopt;
}

/// The kind from the key, or from the table's own name where that is a kind; a table named after a kind has to be of
/// it.
std::optional<OptimizerKind> read_kind(const std::string& name, TableReader& reader, Problems& problems) {
  const auto named = kind_named(name);
  const auto key = reader.one("kind", ChoiceReader{{"adamw", "sgd", "momentum"}});
  if (key.bad()) return std::nullopt;
  if (!key.given && !named)
    problems.add(fmt::format("optimizer.{} has no kind", name), reader.place(),
                 "set kind = \"adamw\", \"sgd\" or \"momentum\"");
  if (!key.given) return named;
  const auto kind = kind_named(*key.value);
  if (named && kind != named)
    problems.add(fmt::format("optimizer.{} is of kind {}, but its name is another kind's", name, in_quotes(*key.value)),
                 key.place, "rename the table or the kind");
  return kind;
}

std::optional<OptimizerSpec> read_optimizer(const std::string& name, TableReader reader, Problems& problems) {
  const std::size_t before = problems.count();
  OptimizerSpec spec;
  const auto kind = read_kind(name, reader, problems);
  const auto number = [&](const char* key, NumberReader bounds, double& field) {
    field = reader.one(key, bounds).value.value_or(field);
  };
  number("learning_rate", {0, 1e6, false, true}, spec.learning_rate);
  if (!kind || kind == OptimizerKind::adamw) {
    number("beta1", {0, 1, true, false}, spec.beta1);
    number("beta2", {0, 1, true, false}, spec.beta2);
    number("epsilon", {0, 1, false, true}, spec.epsilon);
    number("weight_decay", {0, 1e6, true, true}, spec.weight_decay);
  }
  if (!kind || kind == OptimizerKind::momentum) number("momentum", {0, 1, true, false}, spec.momentum);
  reader.finish();
  if (problems.count() != before || !kind) return std::nullopt;
  spec.kind = *kind;
  return spec;
}

}  // namespace

Definitions read_definitions(TableReader& top, Problems& problems) {
  Definitions definitions;
  for (auto& [name, reader] : top.named_tables("model"))
    definitions.models[name] = read_model(name, std::move(reader), problems);
  for (const auto kind : {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum})
    definitions.optimizers[std::string(name_of(kind))] = OptimizerSpec{.kind = kind};
  for (auto& [name, reader] : top.named_tables("optimizer")) {
    if (name == "none")
      problems.add("optimizer.none is defined, but \"none\" means a step without update", reader.place(), "rename it");
    definitions.optimizers[name] = read_optimizer(name, std::move(reader), problems);
  }
  return definitions;
}

}  // namespace shardbench
