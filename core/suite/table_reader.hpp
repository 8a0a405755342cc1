#pragma once
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/problems.hpp"
#include "suite/value_readers.hpp"

namespace shardbench {

/// A value and where it stands.
template <class T>
struct Placed {
  T value;
  Place place;
};

/// One key of a table: absent, given and good, or given and bad (the problem is reported, `value` is empty).
template <class T>
struct Setting {
  std::optional<T> value;
  Place place;
  bool given = false;
  bool bad() const noexcept { return given && !value; }
};

/// A key that takes a value or a list of them. Bad entries are reported and left out, so `values` has the good ones.
template <class T>
struct Axis {
  std::vector<Placed<T>> values;
  Place place;
  bool given = false;
};

/// Reads the keys of one TOML table. Whatever is wrong goes to `problems`. The keys that are asked for are the keys
/// that the table may have: `finish` reports all others with the nearest of them.
///
///     TableReader reader(table, "[[training]]", "training.", file, problems);
///     const auto world = reader.axis("world", IntegerReader{1, 64});
///     reader.finish();
class TableReader {
 public:
  /// `label` is what messages call the table, `prefix` comes before its keys.
  TableReader(const toml::table& table, std::string label, std::string prefix, std::string file, Problems& problems)
      : table_(&table),
        label_(std::move(label)),
        prefix_(std::move(prefix)),
        file_(std::move(file)),
        problems_(&problems) {}

  const std::string& label() const noexcept { return label_; }
  Place place() const { return place_of(table_->source(), file_); }

  /// One value.
  template <class Reader>
  auto one(std::string_view key, const Reader& reader) {
    Setting<typename Reader::Value> setting;
    const toml::node* node = find(key);
    if (node == nullptr) return setting;
    setting.given = true;
    setting.place = place_of(node->source(), file_);
    setting.value = reader(*node, at(key, *node, ""));
    return setting;
  }

  /// A value or a list of different ones.
  template <class Reader>
  auto axis(std::string_view key, const Reader& reader) {
    return read_list(key, reader, true);
  }

  /// A list, in which values may repeat.
  template <class Reader>
  auto list(std::string_view key, const Reader& reader) {
    return read_list(key, reader, false);
  }

  /// The table under `key`, if there is one; another type is a problem.
  std::optional<TableReader> table(std::string_view key);
  /// The tables of [[key]].
  std::vector<TableReader> tables(std::string_view key);
  /// The tables [key.NAME] by NAME; a NAME that cannot be part of an id is a problem.
  std::vector<std::pair<std::string, TableReader>> named_tables(std::string_view key);
  /// All keys of this table, in the order of the file; for tables whose keys are free.
  std::vector<std::string> keys() const;

  Place key_place(std::string_view key) const;

  /// Whether the value of the key is a table.
  bool holds_table(std::string_view key) const {
    const toml::node* node = table_->get(key);
    return node != nullptr && node->is_table();
  }

  /// Reports the keys that nobody asked for.
  void finish();

 private:
  const toml::node* find(std::string_view key);
  ValueAt at(std::string_view key, const toml::node& node, std::string_view alternative) const;
  /// The entries under `key`: itself, or those of a list. Reports an empty list and, unless `alone` is allowed, a value
  /// that is no list.
  std::vector<const toml::node*> entries(std::string_view key, const toml::node& node, bool alone);
  void report_repeated(std::string_view key, const toml::node& node, const Place& first);

  template <class Reader>
  auto read_list(std::string_view key, const Reader& reader, bool axis) {
    Axis<typename Reader::Value> result;
    const toml::node* node = find(key);
    if (node == nullptr) return result;
    result.given = true;
    result.place = place_of(node->source(), file_);
    for (const toml::node* entry : entries(key, *node, axis)) {
      const auto value = reader(*entry, at(key, *entry, node->is_array() || !axis ? "" : ", or a list of such,"));
      if (!value) continue;
      const auto* first = axis ? find_value(result, *value) : nullptr;
      if (first != nullptr)
        report_repeated(key, *entry, first->place);
      else
        result.values.push_back({*value, place_of(entry->source(), file_)});
    }
    return result;
  }

  template <class T>
  static const Placed<T>* find_value(const Axis<T>& axis, const T& value) {
    for (const auto& placed : axis.values)
      if (placed.value == value) return &placed;
    return nullptr;
  }

  const toml::table* table_;
  std::string label_, prefix_, file_;
  Problems* problems_;
  std::vector<std::string> asked_;
};

}  // namespace shardbench
