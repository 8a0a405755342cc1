#pragma once
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problems.hpp"
#include "suite/toml_text.hpp"

/// One reader per type of value. Each is called with a node and its place, gives the value or reports a problem.

namespace shardbench {

/// What is being read, for messages.
struct ValueAt {
  std::string key;          ///< "training.world"
  std::string leaf;         ///< "world"
  std::string alternative;  ///< ", or a list of such," where a list would do as well
  Place place;
  Problems* problems;

  /// "KEY is FOUND, but WANTED is needed".
  void refuse(const std::string& found, const std::string& wanted, const std::string& cure) const;
};

/// A TOML integer in [min, max]; a float is refused, even one without a fraction.
struct IntegerReader {
  using Value = std::int64_t;
  std::int64_t min, max;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// A float or an integer above `min` (or at it, if `with_min`) and up to `max` (or below it, unless `with_max`).
struct NumberReader {
  using Value = double;
  double min, max;
  bool with_min, with_max;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// Bytes, 1 to 2^31 - 1: an integer, or a text such as "64 KiB" (B, KiB, MiB and GiB are powers of 1024).
struct BytesReader {
  using Value = std::int64_t;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

struct BooleanReader {
  using Value = bool;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// Any text but the empty one.
struct TextReader {
  using Value = std::string;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// A text that can be part of a case's id.
struct NameReader {
  using Value = std::string;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// One of a few texts.
struct ChoiceReader {
  using Value = std::string;
  std::vector<std::string> allowed;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

/// The value of a plugin's option, as text: a string without spaces, an integer or a boolean.
struct OptionReader {
  using Value = std::string;
  std::optional<Value> operator()(const toml::node& node, const ValueAt& at) const;
};

}  // namespace shardbench
