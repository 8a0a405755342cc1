#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "law/plan_text.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Far more than any pipeline has; a number above it is a slip, and would cost memory.
constexpr int largest_number = 1'000'000;

constexpr std::array<std::string_view, 3> left_out{"REDUCE_GRAD", "UNSHARD", "RESHARD"};
constexpr std::string_view overlap = ")OVERLAP_F_B";
constexpr std::string_view separators = ",\t", blank = " \t\r\n,";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  ParsedPlan parse() {
    if (rest_.starts_with(byte_order_mark)) {
      rest_.remove_prefix(byte_order_mark.size());
      mark_ = byte_order_mark.size();
    }
    rest_ = rest_.substr(0, rest_.find_last_not_of(blank) + 1);
    for (; !rest_.empty(); mark_ = 0) {
      ++line_;
      const auto end = std::min(rest_.find('\n'), rest_.size());
      std::string_view row = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      if (row.ends_with('\r')) row.remove_suffix(1);
      plan().ranks.emplace_back();
      parsed_.lines.push_back(line_);
      parsed_.columns.emplace_back();
      parse_row(row);
    }
    check_stages();
    return std::move(parsed_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& cure) const {
    throw Error(problem, std::string(name_) + ":" + std::to_string(std::max(line_, 1)) + ":" + std::to_string(column_),
                cure);
  }
  [[noreturn]] void refuse_word(std::string_view word) const {
    refuse(in_quotes(word) + " is not an action",
           "write stage, kind and microbatch, such as 2F0: F, B, I, W, SEND_F, RECV_F, SEND_B or RECV_B");
  }
  Plan& plan() { return parsed_.plan; }

  void parse_row(std::string_view row) {
    for (std::size_t begin = 0; begin <= row.size();) {
      const auto end = std::min(row.find_first_of(separators, begin), row.size());
      column_ = static_cast<int>(mark_ + begin) + 1;
      parse_field(row.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void parse_field(std::string_view field) {
    while (field.starts_with(' ')) field.remove_prefix(1), ++column_;
    while (field.ends_with(' ')) field.remove_suffix(1);
    if (field.empty()) return;
    if (!field.starts_with('(')) return parse_word(field);
    const auto semicolon = field.find(';');
    if (!field.ends_with(overlap) || semicolon == std::string_view::npos) refuse_word(field);
    parse_word(field.substr(1, semicolon - 1));
    parse_word(field.substr(semicolon + 1, field.size() - overlap.size() - semicolon - 1));
  }

  void parse_word(std::string_view word) {
    const std::string_view whole = word;
    const auto stage = take_number(word);
    const auto end = word.find_first_of("0123456789");
    const std::string_view kind = word.substr(0, end);
    if (stage && std::find(left_out.begin(), left_out.end(), kind) != left_out.end()) return;
    word.remove_prefix(kind.size());
    const auto microbatch = take_number(word);
    const auto known = kind_named(kind);
    if (!stage || !microbatch || !known || !word.empty()) refuse_word(whole);
    add({*known, *stage, *microbatch});
  }

  static std::optional<ActionKind> kind_named(std::string_view name) {
    for (int kind = 0; kind <= static_cast<int>(ActionKind::recv_backward); ++kind)
      if (name_of(static_cast<ActionKind>(kind)) == name) return static_cast<ActionKind>(kind);
    return std::nullopt;
  }

  static std::optional<int> take_number(std::string_view& word) {
    int number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (problem != std::errc{} || number < 0 || number > largest_number) return std::nullopt;
    word.remove_prefix(static_cast<std::size_t>(end - word.data()));
    return number;
  }

  void add(const Action& a) {
    const auto stage = static_cast<std::size_t>(a.stage);
    const int rank = static_cast<int>(plan().ranks.size()) - 1;
    auto& placement = plan().placement;
    if (placement.size() <= stage) placement.resize(stage + 1, -1);
    if (placement[stage] >= 0 && placement[stage] != rank)
      refuse("stage " + std::to_string(stage) + " is on rank " + std::to_string(placement[stage]) + " and on rank " +
                 std::to_string(rank),
             "give all actions of a stage to one rank");
    placement[stage] = rank;
    plan().ranks.back().actions.push_back(a);
    parsed_.columns.back().push_back(column_);
  }

  void check_stages() {
    column_ = 1;
    const auto& placement = plan().placement;
    if (placement.empty()) refuse("there are no actions", "give each rank a line such as 0F0,0B0");
    const auto homeless = std::find(placement.begin(), placement.end(), -1);
    if (homeless != placement.end())
      refuse("stage " + std::to_string(homeless - placement.begin()) + " of " + std::to_string(placement.size()) +
                 " is on no rank",
             "number the stages from 0 without a gap");
  }

  std::string_view rest_, name_;
  ParsedPlan parsed_;
  int line_ = 0, column_ = 1;
  std::size_t mark_ = 0;  ///< bytes of the line before its first field
};

}  // namespace

ParsedPlan parse_plan(std::string_view text, std::string_view name) { return Parser(text, name).parse(); }

}  // namespace shardbench
