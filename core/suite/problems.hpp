#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "shardbench/error.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// Collects what is wrong with a file while it is read on, so that a user sees all of it at once.
class Problems {
 public:
  /// `place` with line 0 is the whole file. The same problem at the same place counts once (a bad default that several
  /// tables take up is one problem).
  void add(const std::string& problem, const Place& place, const std::string& cure);

  std::size_t count() const noexcept { return entries_.size(); }

  /// Throws `SuiteErrors` if there is any, those of `file` first, by line and column.
  void throw_if_any(const std::string& file) const;

 private:
  struct Entry {
    Place place;
    Error error;
  };
  std::vector<Entry> entries_;
};

}  // namespace shardbench
