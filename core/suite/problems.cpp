#include "suite/problems.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "suite/suite_errors.hpp"

namespace shardbench {

void Problems::add(const std::string& problem, const Place& place, const std::string& cure) {
  Error error(problem, place.line == 0 ? place.file : place.text(), cure);
  const auto same = [&](const Entry& entry) { return std::string_view(entry.error.what()) == error.what(); };
  if (std::none_of(entries_.begin(), entries_.end(), same)) entries_.push_back({place, std::move(error)});
}

void Problems::throw_if_any(const std::string& file) const {
  if (entries_.empty()) return;
  auto entries = entries_;
  const auto order = [&](const Entry& entry) {
    return std::tuple(entry.place.file != file, std::string_view(entry.place.file), entry.place.line,
                      entry.place.column);
  };
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return order(a) < order(b); });
  std::vector<Error> errors;
  for (const auto& entry : entries) errors.push_back(entry.error);
  throw SuiteErrors(file, std::move(errors));
}

}  // namespace shardbench
