#include "suite/value_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace shardbench {

void ValueAt::refuse(const std::string& found, const std::string& wanted, const std::string& cure) const {
  problems->add(fmt::format("{} is {}, but {}{} is needed", key, found, wanted, alternative), place, cure);
}

std::optional<std::int64_t> IntegerReader::operator()(const toml::node& node, const ValueAt& at) const {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::string wanted = min == Limits::min()   ? "an integer"
                             : max == Limits::max() ? fmt::format("an integer of {} or more", min)
                                                    : fmt::format("an integer from {} to {}", min, max);
  const auto* integer = node.as_integer();
  if (integer == nullptr) {
    at.refuse(describe(node), wanted, fmt::format("write {} as an integer, without quotes or a point", at.leaf));
    return std::nullopt;
  }
  const std::int64_t value = integer->get();
  if (value >= min && value <= max) return value;
  at.refuse(show(node), wanted,
            value < min ? fmt::format("set {} = {} or more", at.leaf, min)
                        : fmt::format("set {} = {} or less", at.leaf, max));
  return std::nullopt;
}

std::optional<double> NumberReader::operator()(const toml::node& node, const ValueAt& at) const {
  const std::string wanted = fmt::format("a number {} {} and {} {}", with_min ? "of at least" : "above", min,
                                         with_max ? "at most" : "below", max);
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  if (!number) {
    at.refuse(describe(node), wanted, fmt::format("write {} as a number, without quotes", at.leaf));
    return std::nullopt;
  }
  const bool high_enough = with_min ? *number >= min : *number > min;
  const bool low_enough = with_max ? *number <= max : *number < max;
  if (high_enough && low_enough) return number;
  at.refuse(show(node), wanted, fmt::format("set {} within these bounds", at.leaf));
  return std::nullopt;
}

std::optional<std::int64_t> BytesReader::operator()(const toml::node& node, const ValueAt& at) const {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::optional<std::int64_t> bytes;
  if (const auto* integer = node.as_integer()) {
    bytes = integer->get();
  } else if (const auto* text = node.as_string()) {
    const std::string& words = text->get();
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(words.data(), words.data() + words.size(), number);
    std::string_view unit(end, words.data() + words.size());
    if (unit.starts_with(' ')) unit.remove_prefix(1);
    constexpr std::pair<std::string_view, int> units[] = {{"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    for (const auto& [name, shift] : units)
      if (problem == std::errc{} && unit == name && number <= most) bytes = number * (std::int64_t{1} << shift);
  }
  if (bytes && *bytes >= 1 && *bytes <= most) return bytes;
  at.refuse(bytes ? show(node) : describe(node), fmt::format("bytes from 1 to {}", most),
            fmt::format("write {} as an integer, or as a text with B, KiB, MiB or GiB: \"64 KiB\"", at.leaf));
  return std::nullopt;
}

std::optional<bool> BooleanReader::operator()(const toml::node& node, const ValueAt& at) const {
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  at.refuse(describe(node), "true or false",
            fmt::format("write {} = true or {} = false, without quotes", at.leaf, at.leaf));
  return std::nullopt;
}

std::optional<std::string> TextReader::operator()(const toml::node& node, const ValueAt& at) const {
  const auto* text = node.as_string();
  if (text != nullptr && !text->get().empty()) return text->get();
  at.refuse(describe(node), "a text", fmt::format("write {} = \"...\"", at.leaf));
  return std::nullopt;
}

std::optional<std::string> NameReader::operator()(const toml::node& node, const ValueAt& at) const {
  const auto* text = node.as_string();
  if (text != nullptr && is_plain_key(text->get())) return text->get();
  at.refuse(describe(node), "a name", fmt::format("write {} = \"...\" with {}", at.leaf, plain_name_rule));
  return std::nullopt;
}

std::optional<std::string> ChoiceReader::operator()(const toml::node& node, const ValueAt& at) const {
  const auto* text = node.as_string();
  if (text != nullptr && std::find(allowed.begin(), allowed.end(), text->get()) != allowed.end()) return text->get();
  std::vector<std::string> choices;
  for (const auto& choice : allowed) choices.push_back(in_quotes(choice));
  at.refuse(
      text == nullptr ? describe(node) : show(node), fmt::format("{}", fmt::join(choices, " or ")),
      (text == nullptr ? "" : did_you_mean(text->get(), allowed)) + fmt::format("set {} to one of these", at.leaf));
  return std::nullopt;
}

std::optional<std::string> OptionReader::operator()(const toml::node& node, const ValueAt& at) const {
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  const auto* text = node.as_string();
  const auto visible = [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; };
  if (text != nullptr && !text->get().empty() && std::all_of(text->get().begin(), text->get().end(), visible))
    return text->get();
  at.refuse(describe(node), "a text without spaces, an integer or a boolean",
            fmt::format("write {} = \"...\"", at.leaf));
  return std::nullopt;
}

}  // namespace shardbench
