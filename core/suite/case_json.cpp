#include "suite/case_json.hpp"

#include <array>
#include <string>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

std::string text_of(std::string_view name) { return std::string(name); }

std::string_view activation_name(Activation activation) { return activation == Activation::none ? "none" : "relu"; }

std::string_view loss_name(Loss loss) { return loss == Loss::sum ? "sum" : "mse"; }

/// The one of `values` whose name is the text under `key`.
template <class Values, class Name>
auto named(const nlohmann::json& json, const char* key, const Values& values, Name name) {
  const auto& text = json.at(key).get_ref<const std::string&>();
  std::string allowed;
  for (const auto value : values) {
    if (text == name(value)) return value;
    allowed += (allowed.empty() ? "" : ", ") + text_of(name(value));
  }
  throw Error("\"" + text + "\" is not one of " + allowed, std::string("key \"") + key + "\" of a case in JSON",
              "use the same version of Shardbench on both sides");
}

}  // namespace

void to_json(nlohmann::json& json, const Place& place) {
  json = {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

void from_json(const nlohmann::json& json, Place& place) {
  json.at("file").get_to(place.file);
  json.at("line").get_to(place.line);
  json.at("column").get_to(place.column);
}

void to_json(nlohmann::json& json, const ModelSpec& model) {
  json = {{"name", model.name},
          {"kind", model.kind},
          {"widths", model.widths},
          {"bias", model.bias},
          {"activation", activation_name(model.activation)},
          {"loss", loss_name(model.loss)}};
}

void from_json(const nlohmann::json& json, ModelSpec& model) {
  json.at("name").get_to(model.name);
  json.at("kind").get_to(model.kind);
  json.at("widths").get_to(model.widths);
  json.at("bias").get_to(model.bias);
  model.activation = named(json, "activation", std::array{Activation::none, Activation::relu}, activation_name);
  model.loss = named(json, "loss", std::array{Loss::sum, Loss::mse}, loss_name);
}

void to_json(nlohmann::json& json, const OptimizerSpec& optimizer) {
  json = {{"kind", name_of(optimizer.kind)}, {"learning_rate", optimizer.learning_rate},
          {"beta1", optimizer.beta1},        {"beta2", optimizer.beta2},
          {"epsilon", optimizer.epsilon},    {"weight_decay", optimizer.weight_decay},
          {"momentum", optimizer.momentum}};
}

void from_json(const nlohmann::json& json, OptimizerSpec& optimizer) {
  optimizer.kind = named(json, "kind", std::array{OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::momentum},
                         [](OptimizerKind kind) { return name_of(kind); });
  json.at("learning_rate").get_to(optimizer.learning_rate);
  json.at("beta1").get_to(optimizer.beta1);
  json.at("beta2").get_to(optimizer.beta2);
  json.at("epsilon").get_to(optimizer.epsilon);
  json.at("weight_decay").get_to(optimizer.weight_decay);
  json.at("momentum").get_to(optimizer.momentum);
}

void to_json(nlohmann::json& json, const Case& c) {
  json = {{"id", c.id},
          {"suite", c.suite},
          {"study", c.study},
          {"program", name_of(c.program)},
          {"strategy", c.strategy},
          {"schedule", c.schedule},
          {"operation", c.operation ? nlohmann::json(name_of(*c.operation)) : nlohmann::json()},
          {"bytes", c.bytes},
          {"reduction", name_of(c.reduction)},
          {"values", name_of(c.values)},
          {"in_place", c.in_place},
          {"backend", c.backend},
          {"world", c.world},
          {"horizon", c.horizon},
          {"model", c.model},
          {"unit", name_of(c.unit)},
          {"optimizer", c.optimizer},
          {"optimize", c.optimize},
          {"dtype", name_of(c.dtype)},
          {"options", c.options},
          {"backend_options", c.backend_options},
          {"batch", c.batch},
          {"steps", c.steps},
          {"warmup", c.warmup},
          {"iterations", c.iterations},
          {"launches", c.launches},
          {"seed", c.seed},
          {"deadline_s", c.deadline_s},
          {"expect", name_of(c.expect)},
          {"place", c.place}};
}

void from_json(const nlohmann::json& json, Case& c) {
  json.at("id").get_to(c.id);
  json.at("suite").get_to(c.suite);
  json.at("study").get_to(c.study);
  c.program = named(json, "program", std::array{Program::training, Program::pipeline, Program::collective},
                    [](Program p) { return name_of(p); });
  json.at("strategy").get_to(c.strategy);
  json.at("schedule").get_to(c.schedule);
  c.operation.reset();
  if (!json.at("operation").is_null())
    c.operation = named(json, "operation", all_collectives, [](Collective operation) { return name_of(operation); });
  json.at("bytes").get_to(c.bytes);
  c.reduction = named(json, "reduction", std::array{ReduceOp::sum, ReduceOp::max, ReduceOp::min},
                      [](ReduceOp op) { return name_of(op); });
  c.values = named(json, "values", std::array{Values::exact, Values::rounding}, [](Values v) { return name_of(v); });
  json.at("in_place").get_to(c.in_place);
  json.at("backend").get_to(c.backend);
  json.at("world").get_to(c.world);
  json.at("horizon").get_to(c.horizon);
  json.at("model").get_to(c.model);
  c.unit =
      named(json, "unit", std::array{UnitPolicy::root, UnitPolicy::layer}, [](UnitPolicy u) { return name_of(u); });
  json.at("optimizer").get_to(c.optimizer);
  json.at("optimize").get_to(c.optimize);
  c.dtype = named(json, "dtype",
                  std::array{DType::float32, DType::float64, DType::bfloat16, DType::float16, DType::int32,
                             DType::int64, DType::uint8},
                  [](DType d) { return name_of(d); });
  json.at("options").get_to(c.options);
  json.at("backend_options").get_to(c.backend_options);
  json.at("batch").get_to(c.batch);
  json.at("steps").get_to(c.steps);
  json.at("warmup").get_to(c.warmup);
  json.at("iterations").get_to(c.iterations);
  json.at("launches").get_to(c.launches);
  json.at("seed").get_to(c.seed);
  c.expect = named(json, "expect", std::array{Expect::ok, Expect::diverged}, [](Expect e) { return name_of(e); });
  json.at("deadline_s").get_to(c.deadline_s);
  json.at("place").get_to(c.place);
}

std::string work_of(const Case& c) {
  nlohmann::json work = c;
  for (const char* field :
       {"id", "place", "backend", "backend_options", "launches", "iterations", "warmup", "deadline_s", "expect"})
    work.erase(field);
  return work.dump();
}

}  // namespace shardbench
