#pragma once
#include <string>
#include <vector>

#include "shardbench/error.hpp"

namespace shardbench {

/// Everything that is wrong with a suite (and its reference file), in the order of the lines. `what()` has all of it.
class SuiteErrors : public Error {
 public:
  /// `problems` has at least one entry; the `where()` of each begins with a file.
  SuiteErrors(const std::string& file, std::vector<Error> problems);

  const std::vector<Error>& problems() const noexcept { return problems_; }

 private:
  std::vector<Error> problems_;
};

}  // namespace shardbench
