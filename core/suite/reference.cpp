#include "suite/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "suite/schema.hpp"
#include "suite/settings.hpp"
#include "suite/table_reader.hpp"
#include "suite/toml_text.hpp"

namespace shardbench {
namespace {

/// Doubles have all integers up to here, and expectations are met exactly.
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

/// A quantity with this ending is a bound that must not be exceeded.
constexpr std::string_view bound_suffix = "_at_most";

/// One [[expect]] table: what it says of each of its cases.
class ExpectReader {
 public:
  ExpectReader(const std::vector<Case>& cases, bool cases_known, Problems& problems)
      : cases_(cases), cases_known_(cases_known), problems_(problems) {
    for (const auto& c : cases) {
      by_id_[c.id] = &c;
      parts_.push_back(parts_of(c.id));
    }
  }

  void read(TableReader reader, const std::string& source, std::vector<Expectation>& expectations) {
    auto ids = reader.axis("case", TextReader{});
    const auto rank = reader.one("rank", IntegerReader{0, most_ranks - 1});
    const auto own_source = reader.one("source", TextReader{});
    if (!ids.given)
      problems_.add("[[expect]] has no case", reader.place(),
                    "set case = \"ID\" (`shardbench run --dry-run` prints the ids)");
    ids.values = expand(ids.values);
    for (const auto& id : ids.values) check_case(id, rank);
    bool any = false;
    for (const auto& quantity : reference_quantities()) {
      const auto number = reader.one(quantity, IntegerReader{0, largest_exact});
      any = any || number.given;
      if (number.given && quantity == "machine_total_bytes" && rank.given)
        problems_.add("machine_total_bytes is of the whole case, but this [[expect]] is for one rank", number.place,
                      "move it to an [[expect]] without rank");
      if (!number.value || rank.bad()) continue;
      for (const auto& id : ids.values) {
        Expectation expectation{id.value,    std::nullopt,
                                quantity,    static_cast<double>(*number.value),
                                false,       own_source.value.value_or(source),
                                number.place};
        if (quantity.ends_with(bound_suffix)) {
          expectation.quantity.resize(quantity.size() - bound_suffix.size());
          expectation.at_most = true;
        }
        if (rank.value) expectation.rank = static_cast<int>(*rank.value);
        add(std::move(expectation), expectations);
      }
    }
    reader.finish();
    if (!any)
      problems_.add("[[expect]] demands nothing", reader.place(), "name one of: " + listed(reference_quantities()));
  }

 private:
  /// A part of an id that is "*" stands for any: the ids of all cases that match. One that matches none stays as it is.
  std::vector<Placed<std::string>> expand(const std::vector<Placed<std::string>>& ids) const {
    std::vector<Placed<std::string>> expanded;
    for (const auto& id : ids) {
      const std::size_t before = expanded.size();
      if (id.value.find('*') != std::string::npos) {
        const auto wanted = parts_of(id.value);
        for (std::size_t c = 0; c < cases_.size(); ++c)
          if (std::ranges::equal(wanted, parts_[c], [](const auto& w, const auto& p) { return w == "*" || w == p; }))
            expanded.push_back({cases_[c].id, id.place});
      }
      if (expanded.size() == before) expanded.push_back(id);
    }
    return expanded;
  }

  static std::vector<std::string> parts_of(const std::string& id) {
    std::vector<std::string> parts;
    std::istringstream in(id);
    for (std::string part; std::getline(in, part, '/');) parts.push_back(part);
    return parts;
  }

  void check_case(const Placed<std::string>& id, const Setting<std::int64_t>& rank) const {
    if (!cases_known_) return;
    const auto found = by_id_.find(id.value);
    if (found == by_id_.end()) {
      std::vector<std::string> ids;
      for (const auto& c : cases_) ids.push_back(c.id);
      problems_.add(fmt::format("case is {}, but the suite has no case of that id", in_quotes(id.value, whole)),
                    id.place, did_you_mean(id.value, ids) + "`shardbench run --dry-run` prints the ids");
    } else if (rank.value && *rank.value >= found->second->world) {
      problems_.add(fmt::format("rank is {}, but case {} has {} ranks", *rank.value, id.value, found->second->world),
                    rank.place, fmt::format("set rank = {} or less", found->second->world - 1));
    }
  }

  void add(Expectation expectation, std::vector<Expectation>& expectations) {
    const auto key = std::tuple(expectation.case_id, expectation.rank, expectation.quantity);
    const auto [first, is_new] = seen_.emplace(key, expectation.place);
    if (is_new)
      expectations.push_back(std::move(expectation));
    else
      problems_.add(fmt::format("{} of case {} is demanded twice, first at line {}", expectation.quantity,
                                in_quotes(expectation.case_id, whole), first->second.line),
                    expectation.place, "remove one of them");
  }

  const std::vector<Case>& cases_;
  bool cases_known_;
  Problems& problems_;
  std::map<std::string, const Case*> by_id_;
  std::vector<std::vector<std::string>> parts_;  ///< of every case's id
  std::map<std::tuple<std::string, std::optional<int>, std::string>, Place> seen_;
};

}  // namespace

const std::vector<std::string>& reference_quantities() {
  static const std::vector<std::string> names = {"weights_bytes",     "gradients_bytes", "optimizer_bytes",
                                                 "total_bytes",       "saved_peak",      "saved_peak_bytes",
                                                 "saved_total",       "saved_consumed",  "saved_before_first_use",
                                                 "peak_bytes",        "sent_bytes",      "machine_total_bytes",
                                                 "peak_bytes_at_most"};
  return names;
}

std::vector<Expectation> load_reference(const std::filesystem::path& file, const std::vector<Case>& cases,
                                        bool cases_known, Problems& problems) {
  std::vector<Expectation> expectations;
  const std::string name = file.string();
  const auto toml = parse_toml(read_text(file, "reference"), name, problems);
  if (!toml) return expectations;
  TableReader top(*toml, "the reference file", "", name, problems);
  if (!check_schema(top, problems)) return expectations;
  const auto source = top.one("source", TextReader{});
  if (!source.given)
    problems.add("the reference file has no source", {name}, "set source = \"where its numbers come from\"");
  ExpectReader expect(cases, cases_known, problems);
  auto tables = top.tables("expect");
  for (auto& reader : tables) expect.read(std::move(reader), source.value.value_or(""), expectations);
  if (tables.empty() && problems.count() == 0)
    problems.add("the reference file demands nothing", {name}, "add an [[expect]] table, or do not name the file");
  top.finish();
  return expectations;
}

}  // namespace shardbench
