#pragma once
#include <string>

namespace shardbench::testing {

/// The beginning of a suite of tiny cases: two ranks, one checked step, one timed. 22 parameters.
inline const std::string tiny_suite = R"(schema = 1
[model.tiny]
widths = [5, 3, 1]
[defaults]
world = 2
model = "tiny"
batch = 2
steps = 1
warmup = 0
iterations = 1
deadline_s = 100
)";

/// A case of its own name that takes until somebody ends it.
inline const std::string endless_case = R"(
[[training]]
name = "endless"
strategy = "ddp"
iterations = 1000000
)";

inline std::string ddp_case(const std::string& name) {
  return "\n[[training]]\nname = \"" + name + "\"\nstrategy = \"ddp\"\n";
}

}  // namespace shardbench::testing
