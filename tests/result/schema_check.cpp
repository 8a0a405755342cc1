#include "result/schema_check.hpp"

#include <set>

namespace shardbench::testing {
namespace {

using nlohmann::json;

bool is_of_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

class Checker {
 public:
  explicit Checker(const json& root) : root_(root) {}

  void check(const json& schema, const json& value, const std::string& at) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) errors.push_back(at + ": is not allowed");
      return;
    }
    if (schema.contains("$ref")) {
      const auto reference = schema["$ref"].get<std::string>();
      check(root_.at(json::json_pointer(reference.substr(1))), value, at);
    }
    static const std::set<std::string> known = {
        "$schema",  "$id",        "$defs", "$ref",  "title", "description",         "type",
        "required", "properties", "items", "const", "enum",  "additionalProperties"};
    for (const auto& [keyword, unused] : schema.items())
      if (!known.count(keyword)) errors.push_back(at + ": unknown keyword " + keyword);
    if (schema.contains("type")) check_type(schema["type"], value, at);
    if (schema.contains("const") && value != schema["const"])
      errors.push_back(at + ": is not " + schema["const"].dump());
    if (schema.contains("enum") &&
        schema["enum"].end() == std::find(schema["enum"].begin(), schema["enum"].end(), value))
      errors.push_back(at + ": " + value.dump() + " is not one of " + schema["enum"].dump());
    if (value.is_object()) check_object(schema, value, at);
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at + "/" + std::to_string(i));
  }

  std::vector<std::string> errors;

 private:
  void check_type(const json& type, const json& value, const std::string& at) {
    const json types = type.is_array() ? type : json::array({type});
    for (const auto& t : types)
      if (is_of_type(value, t.get<std::string>())) return;
    errors.push_back(at + ": " + value.type_name() + " is not " + type.dump());
  }

  void check_object(const json& schema, const json& value, const std::string& at) {
    const json properties = schema.value("properties", json::object());
    for (const auto& key : schema.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) errors.push_back(at + ": " + key.get<std::string>() + " is missing");
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key))
        check(properties[key], member, at + "/" + key);
      else if (schema.contains("additionalProperties"))
        check(schema["additionalProperties"], member, at + "/" + key);
    }
  }

  const json& root_;
};

}  // namespace

std::vector<std::string> schema_errors(const json& schema, const json& value) {
  Checker checker(schema);
  checker.check(schema, value, "");
  return checker.errors;
}

}  // namespace shardbench::testing
