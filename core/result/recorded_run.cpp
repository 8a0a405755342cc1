#include "result/recorded_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace shardbench {

Quantities::Quantities(Names names, std::vector<double> values) : names_(std::move(names)), values_(std::move(values)) {
  if ((names_ ? names_->size() : 0) != values_.size())
    throw std::invalid_argument("Quantities: names and values differ");
}

std::optional<double> Quantities::find(std::string_view name) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if ((*names_)[i] == name) return std::isnan(values_[i]) ? std::nullopt : std::optional(values_[i]);
  return std::nullopt;
}

const RecordedCase* RecordedRun::find(std::string_view id) const {
  const auto it = std::find_if(cases.begin(), cases.end(), [&](const RecordedCase& c) { return c.id == id; });
  return it == cases.end() ? nullptr : &*it;
}

bool RecordedRun::green() const {
  return !finished.empty() && !cases.empty() &&
         std::all_of(cases.begin(), cases.end(), [](const RecordedCase& c) { return c.status == Status::ok; });
}

}  // namespace shardbench
