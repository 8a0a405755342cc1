#include "compare/comparability.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace shardbench {
namespace {

/// Of a case's spec: what it is called, and how often it is measured.
bool names_or_repeats(std::string_view field) {
  constexpr std::array<std::string_view, 7> excepted = {"id",       "suite",      "study", "iterations",
                                                        "launches", "deadline_s", "expect"};
  return field.starts_with("place.") || std::find(excepted.begin(), excepted.end(), field) != excepted.end();
}

void take(const std::map<std::string, std::string>& from, std::initializer_list<const char*> names,
          std::map<std::string, std::string>& into) {
  for (const char* name : names)
    if (const auto it = from.find(name); it != from.end()) into[name] = it->second;
}

}  // namespace

std::string text(const FieldDifference& d) {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("nothing") : value; };
  return fmt::format("{} is {} in the base, but {} now", d.field, shown(d.base), shown(d.next));
}

Fingerprint fingerprint_of(const RecordedRun& run) {
  const Environment& e = run.environment;
  Fingerprint f;
  f.machine = {{"cpu", e.cpu},           {"cores", std::to_string(e.cores)},
               {"kernel", e.kernel},     {"distribution", e.distribution},
               {"compiler", e.compiler}, {"threads_per_rank", std::to_string(e.threads_per_rank)}};
  f.machine.insert(e.libraries.begin(), e.libraries.end());
  f.machine.insert(e.variables.begin(), e.variables.end());
  return f;
}

Fingerprint fingerprint_of(const RecordedRun& run, const RecordedCase& c) {
  Fingerprint f = fingerprint_of(run);
  take(c.settings, {"comm_library", "wait_mode", "oversubscribed"}, f.settings);
  take(c.identity, {"transport"}, f.settings);
  take(c.backend, {"single_copy", "binding", "btl"}, f.settings);
  for (const auto& [field, value] : c.spec)
    if (!names_or_repeats(field)) f.settings[field] = value;
  return f;
}

std::vector<FieldDifference> differences(const Fingerprint& base, const Fingerprint& next) {
  std::vector<FieldDifference> found;
  for (const auto& [field, value] : base.machine) {
    const auto it = next.machine.find(field);
    const std::string other = it == next.machine.end() ? std::string{} : it->second;
    if (value != other) found.push_back({field, value, other});
  }
  for (const auto& [field, value] : next.machine)
    if (!base.machine.contains(field)) found.push_back({field, "", value});
  for (const auto& [field, value] : base.settings)
    if (const auto it = next.settings.find(field); it != next.settings.end() && it->second != value)
      found.push_back({field, value, it->second});
  return found;
}

}  // namespace shardbench
