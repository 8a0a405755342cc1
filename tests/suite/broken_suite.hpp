#pragma once
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "suite/support.hpp"

namespace shardbench {

/// A suite with one thing wrong, and all of its message.
struct Broken {
  std::string name;  ///< of the test
  std::string text;
  std::string problem;
  std::string where;  ///< "line:column", or "" for the whole file
  std::string cure;
};

inline std::ostream& operator<<(std::ostream& out, const Broken& broken) { return out << broken.text; }

inline std::string name_of_broken(const testing::TestParamInfo<Broken>& info) { return info.param.name; }

/// Each broken suite gives its message, whole, and no other.
class BrokenSuite : public testing::TestWithParam<Broken> {};

}  // namespace shardbench
