#include "report/read_comparison.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "compare/comparison_json.hpp"
#include "result/read_results.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using nlohmann::json;

std::optional<double> number_of(const json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// "2026-07-30T14:05:09Z, commit 1acb0b9"
std::string names_of(const json& runs) {
  std::vector<std::string> names;
  for (const json& run : runs)
    names.push_back(
        fmt::format("{}, commit {}", run.at("started").get<std::string>(), run.at("commit").get<std::string>()));
  return fmt::format("{}", fmt::join(names, "; "));
}

/// Why a case, or a metric, is not comparable; of a count, what the law gives for it.
std::string note_of(const json& verdict, const char* reason) {
  std::string note = verdict.value(reason, "");
  for (const json& d : verdict.value("differences", json::array()))
    note += fmt::format("{}{} was {}, is {}", note.empty() ? "" : "; ", d.at("field").get<std::string>(),
                        d.at("base").get<std::string>(), d.at("new").get<std::string>());
  if (const auto law = number_of(verdict.value("law", json())))
    note += fmt::format("{}law {:.12g}, rank {}", note.empty() ? "" : "; ", *law, verdict.value("rank", 0));
  return note;
}

void add_case(ReportedComparison& all, const json& c) {
  const std::string id = c.at("case").get<std::string>();
  const auto add = [&](const std::string& metric, const std::string& verdict, const std::string& note) {
    all.changes.push_back({id, metric, verdict, false, std::nullopt, std::nullopt, note});
  };
  if (c.contains("not_comparable")) {
    ++all.counts["not comparable"];
    add("", "not comparable", note_of(c, "not_comparable"));
  }
  for (const json& m : c.at("metrics")) {
    const std::string verdict = m.at("verdict").get<std::string>();
    ++all.counts[verdict];
    if (verdict != "not comparable") all.compared = true;
    if (m.value("too_noisy", false))
      all.noisy.push_back({id, m.at("metric").get<std::string>(), number_of(m.value("detectable_slowdown", json()))});
    if (verdict == "same") continue;
    all.changes.push_back({id, m.at("metric").get<std::string>(), verdict, m.at("regression").get<bool>(),
                           number_of(m.at("base")), number_of(m.at("new")), note_of(m, "reason"),
                           number_of(m.value("ratio", json()))});
  }
  for (const auto& name : c.at("metrics_new")) add(name.get<std::string>(), "new", "");
  for (const auto& name : c.at("metrics_gone")) add(name.get<std::string>(), "gone", "");
  for (const auto& name : c.at("checks_gone")) add(name.get<std::string>(), "no longer checked", "");
}

ReportedComparison comparison_of(const json& document) {
  ReportedComparison all;
  all.baseline = names_of(document.at("base"));
  all.compared = false;
  for (const json& c : document.at("cases")) add_case(all, c);
  for (const char* side : {"new", "gone"})
    for (const auto& id : document.at(std::string("cases_") + side)) {
      ++all.counts[fmt::format("{} cases", side)];
      all.changes.push_back({id.get<std::string>(), "", fmt::format("{} case", side), false, {}, {}, ""});
    }
  std::string allowed;
  for (const auto& field : document.at("allowed")) allowed += ' ' + field.get<std::string>();
  if (!allowed.empty()) all.note = "allowed to differ:" + allowed;
  return all;
}

}  // namespace

std::optional<ReportedComparison> read_comparison(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "comparison.json";
  if (!std::filesystem::exists(file)) return std::nullopt;
  const auto cure = "compare again with 'shardbench compare -o', or remove the file";
  try {
    const json document = json::parse(file_text(file));
    const int version = document.at("schema_version").get<int>();
    if (version > comparison_schema_version)
      throw Error(fmt::format("the comparison has schema version {}, but this shardbench knows {}", version,
                              comparison_schema_version),
                  file.string(), "use the shardbench that wrote it, or a newer one");
    return comparison_of(document);
  } catch (const json::exception& e) {
    throw Error(fmt::format("the comparison is damaged: {}", e.what()), file.string(), cure);
  }
}

}  // namespace shardbench
