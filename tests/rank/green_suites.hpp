#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "result/temporary_folder.hpp"

namespace shardbench::testing {

/// Runs suites on real ranks, through the built program.
class RealRanks : public ::testing::Test {
 protected:
  /// Runs a suite that has to be green and gives its rows by case.
  std::map<std::string, Row> green(const std::string& suite, const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments{"run", suite, "--out", "out"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const Ended ended = Program(arguments, folder_.path()).wait(std::chrono::seconds(360));
    EXPECT_EQ(ended.status, 0) << ended.err << ended.out;
    std::map<std::string, Row> rows;
    for (const Row& row : read_csv(folder_.path() / "out/results.csv")) {
      EXPECT_EQ(row.at("status"), "ok") << row.at("case") << ": " << row.at("detail");
      EXPECT_EQ(row.at("invariants_failed"), "0") << row.at("case");
      rows[row.at("case")] = row;
    }
    return rows;
  }
  TemporaryFolder folder_;
};

/// 407 + 55 + 5 = 467 parameters and 17 of biases; at world 8 a tensor of 1 and one of 5 elements have fewer than
/// ranks.
inline constexpr auto odd_model = R"(schema = 1
[model.odd]
widths = [37, 11, 5, 1]
activation = "relu"
loss = "mse"
[model.bare]
widths = [37, 11, 5, 1]
bias = false
[defaults]
model = "odd"
steps = 2
iterations = 1
warmup = 0
deadline_s = 300
)";

}  // namespace shardbench::testing
