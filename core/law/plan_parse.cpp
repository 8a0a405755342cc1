#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "law/plan_text.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Far more than any pipeline has; a number above it is a slip, and would cost memory.
constexpr int largest_number = 1'000'000;

constexpr std::array<std::string_view, 3> left_out{"REDUCE_GRAD", "UNSHARD", "RESHARD"};
constexpr std::string_view overlap = ")OVERLAP_F_B";

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  Plan parse() {
    while (!rest_.empty()) {
      ++line_;
      const auto end = rest_.find('\n');
      std::string_view row = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (row.ends_with('\r')) row.remove_suffix(1);
      plan_.ranks.emplace_back();
      parse_row(row);
    }
    check_stages();
    return std::move(plan_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& cure) const {
    throw Error(problem, std::string(name_) + ":" + std::to_string(line_) + ":" + std::to_string(column_), cure);
  }
  [[noreturn]] void refuse_word(std::string_view word) const {
    refuse("'" + std::string(word) + "' is no action",
           "write stage, kind and microbatch, such as 2F0: F, B, I, W, SEND_F, RECV_F, SEND_B or RECV_B");
  }

  void parse_row(std::string_view row) {
    for (std::size_t begin = 0; begin <= row.size();) {
      const auto end = std::min(row.find(',', begin), row.size());
      column_ = static_cast<int>(begin) + 1;
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
    const int rank = static_cast<int>(plan_.ranks.size()) - 1;
    if (plan_.placement.size() <= stage) plan_.placement.resize(stage + 1, -1);
    if (plan_.placement[stage] >= 0 && plan_.placement[stage] != rank)
      refuse("stage " + std::to_string(stage) + " is on rank " + std::to_string(plan_.placement[stage]) +
                 " and on rank " + std::to_string(rank),
             "give all actions of a stage to one rank");
    plan_.placement[stage] = rank;
    plan_.ranks.back().actions.push_back(a);
  }

  void check_stages() {
    column_ = 1;
    if (plan_.placement.empty()) refuse("there are no actions", "give each rank a line such as 0F0,0B0");
    const auto homeless = std::find(plan_.placement.begin(), plan_.placement.end(), -1);
    if (homeless != plan_.placement.end())
      refuse("stage " + std::to_string(homeless - plan_.placement.begin()) + " of " +
                 std::to_string(plan_.placement.size()) + " is on no rank",
             "number the stages from 0 without a gap");
  }

  std::string_view rest_, name_;
  Plan plan_;
  int line_ = 0, column_ = 1;
};

}  // namespace

Plan parse_plan(std::string_view text, std::string_view name) { return Parser(text, name).parse(); }

}  // namespace shardbench
