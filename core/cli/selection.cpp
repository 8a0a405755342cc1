#include "cli/selection.hpp"

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

std::regex compiled(const char* flag, const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& e) {
    throw Error("'" + text + "' is not a regular expression: " + e.what(), flag, "see ECMAScript's syntax");
  }
}

}  // namespace

Selection::Selection(const Arguments& arguments) : own_(compiled("--filter", arguments.filter)) {
  std::string theirs = arguments.benchmark_flag("filter", "all");
  negative_ = theirs.starts_with('-');
  if (negative_) theirs.erase(0, 1);
  if (theirs == "all") theirs.clear();
  theirs_ = compiled("--benchmark_filter", theirs);
}

bool Selection::takes(const std::string& id) const {
  return std::regex_search(id, own_) && std::regex_search(id, theirs_) != negative_;
}

}  // namespace shardbench
