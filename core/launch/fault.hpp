#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>

#include "control/board.hpp"

namespace shardbench {

/// Why a group of ranks gave no result.
enum class FaultKind { crashed, timeout, interrupted };

class GroupFault : public std::runtime_error {
 public:
  GroupFault(FaultKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  FaultKind kind() const noexcept { return kind_; }

 private:
  FaultKind kind_;
};

/// "in all_reduce of 8 float32 (sum), its collective 3, for 1.2 s" or "computing for 1.2 s after ...".
std::string activity(const RankState& state);

/// All ranks' activities after a deadline, the one that the others wait for first: a rank outside of any operation,
/// then the one that has entered the fewest collectives.
std::string blame(const Board& board);

/// The last lines that a rank wrote, or nothing.
std::string last_words(const std::filesystem::path& log);

}  // namespace shardbench
