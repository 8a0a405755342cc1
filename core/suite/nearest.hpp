#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shardbench {

/// Edits that turn `a` into `b`: insert, delete or replace a character, or swap two neighbours (optimal string
/// alignment). Upper and lower case are the same. Stops early, giving limit + 1, where the answer is above `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidate that `name` is most likely a typo of, or "" where none is near: at most one edit per three characters
/// of the longer of the two, and always one. The first of equally near ones.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace shardbench
