#pragma once
#include <regex>
#include <string>

#include "cli/arguments.hpp"

namespace shardbench {

/// The cases that the filters leave. Google Benchmark's filter may be negative: "-zero1".
class Selection {
 public:
  /// Throws `Error` where a filter is no regular expression.
  explicit Selection(const Arguments& arguments);
  bool takes(const std::string& id) const;

 private:
  std::regex own_, theirs_;
  bool negative_ = false;
};

}  // namespace shardbench
