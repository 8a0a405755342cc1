#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace shardbench::testing {

/// One case at random: a table of a suite, with a model of its own.
struct RandomCase {
  std::string model;  ///< its name, which no other case has
  std::string table;  ///< TOML: the model and the training or pipeline table
};

/// Cases of every shipped strategy, schedule, loss, activation and optimizer, of models of one layer and more, widths
/// and batches of one row and more. From the seed alone, on every machine.
std::vector<RandomCase> random_cases(std::uint32_t seed, int count);

/// The suite of these cases. `shuffled`: the file of the plugin of random plans, which some of them need.
std::string suite_of(const std::vector<RandomCase>& cases, const std::string& shuffled);

}  // namespace shardbench::testing
