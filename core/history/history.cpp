#include "history/history.hpp"

#include <algorithm>

namespace shardbench {

const HistoryCase* HistoryRun::find(std::string_view id) const {
  const auto it = std::find_if(cases.begin(), cases.end(), [&](const HistoryCase& c) { return c.id == id; });
  return it == cases.end() ? nullptr : &*it;
}

}  // namespace shardbench
