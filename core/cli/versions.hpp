#pragma once
#include <string>

namespace shardbench {

/// `--version`: Shardbench, its compiler and the libraries that it was built with, one a line.
std::string versions_text();

}  // namespace shardbench
