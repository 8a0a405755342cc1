#include "suite/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/toml_text.hpp"

namespace shardbench {

const toml::node* TableReader::find(std::string_view key) {
  asked_.emplace_back(key);
  return table_->get(key);
}

ValueAt TableReader::at(std::string_view key, const toml::node& node, std::string_view alternative) const {
  return {prefix_ + std::string(key), std::string(key), std::string(alternative), place_of(node.source(), file_),
          problems_};
}

std::vector<const toml::node*> TableReader::entries(std::string_view key, const toml::node& node, bool alone) {
  std::vector<const toml::node*> nodes;
  if (const auto* array = node.as_array()) {
    for (const auto& entry : *array) nodes.push_back(&entry);
    if (nodes.empty())
      problems_->add(fmt::format("{}{} is an empty list, but at least one value is needed", prefix_, key),
                     place_of(node.source(), file_), "name a value, or leave the key out");
  } else if (alone) {
    nodes.push_back(&node);
  } else {
    problems_->add(fmt::format("{}{} is {}, but a list is needed", prefix_, key, describe(node)),
                   place_of(node.source(), file_), fmt::format("write {} = [...]", key));
  }
  return nodes;
}

void TableReader::report_repeated(std::string_view key, const toml::node& node, const Place& first) {
  problems_->add(
      fmt::format("{}{} has {} twice, first at line {}, column {}", prefix_, key, show(node), first.line, first.column),
      place_of(node.source(), file_), "remove one of them");
}

std::optional<TableReader> TableReader::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::string name = prefix_ + std::string(key);
  if (const auto* inner = node->as_table())
    return TableReader(*inner, prefix_.empty() ? "[" + name + "]" : name, name + ".", file_, *problems_);
  problems_->add(fmt::format("{} is {}, but a table is needed", name, describe(*node)), place_of(node->source(), file_),
                 prefix_.empty() ? fmt::format("write [{}] on a line of its own and its keys below", name)
                                 : fmt::format("write {} = {{ ... }}", key));
  return std::nullopt;
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  std::vector<TableReader> readers;
  const toml::node* node = find(key);
  if (node == nullptr) return readers;
  const auto refuse = [&](const toml::node& found) {
    problems_->add(fmt::format("{} is {}, but a list of tables is needed", key, describe(found)),
                   place_of(found.source(), file_), fmt::format("write [[{}]], with two brackets", key));
  };
  const auto* array = node->as_array();
  if (array == nullptr) {
    refuse(*node);
    return readers;
  }
  for (const auto& entry : *array) {
    if (const auto* inner = entry.as_table())
      readers.emplace_back(*inner, fmt::format("[[{}]]", key), fmt::format("{}.", key), file_, *problems_);
    else
      refuse(entry);
  }
  return readers;
}

std::vector<std::pair<std::string, TableReader>> TableReader::named_tables(std::string_view key) {
  std::vector<std::pair<std::string, TableReader>> readers;
  auto outer = table(key);
  if (!outer) return readers;
  const std::string path = prefix_ + std::string(key);
  for (const auto& name : outer->keys()) {
    if (!is_plain_key(name)) {
      problems_->add(
          fmt::format("the name {} in [{}] has other characters than {}", in_quotes(name), path, plain_name_rule),
          outer->key_place(name), "rename it");
      continue;
    }
    const toml::node* node = outer->table_->get(name);
    if (const auto* inner = node->as_table())
      readers.emplace_back(name, TableReader(*inner, fmt::format("[{}.{}]", path, name),
                                             fmt::format("{}.{}.", path, name), file_, *problems_));
    else
      problems_->add(fmt::format("{}.{} is {}, but a table is needed", path, name, describe(*node)),
                     outer->key_place(name), fmt::format("write [{}.NAME], and {} = ... below it", path, name));
  }
  return readers;
}

std::vector<std::string> TableReader::keys() const {
  std::vector<const toml::key*> found;
  for (const auto& [key, node] : *table_) found.push_back(&key);
  std::stable_sort(found.begin(), found.end(),
                   [](const toml::key* a, const toml::key* b) { return a->source().begin < b->source().begin; });
  std::vector<std::string> names;
  for (const toml::key* key : found) names.emplace_back(key->str());
  return names;
}

Place TableReader::key_place(std::string_view key) const {
  const auto found = table_->find(key);
  return found == table_->end() ? place() : place_of(found->first.source(), file_);
}

void TableReader::finish() {
  for (const auto& key : keys()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    problems_->add(fmt::format("unknown key {} in {}", in_quotes(key), label_), key_place(key),
                   did_you_mean(key, asked_) + "allowed: " + listed(asked_));
  }
}

}  // namespace shardbench
