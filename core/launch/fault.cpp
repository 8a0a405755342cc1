#include "launch/fault.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace shardbench {

std::string activity(const RankState& state) {
  if (!state.last) return "before its first operation";
  const std::string what = text(*state.last);
  if (state.inside)
    return fmt::format("in {} (collectives so far: {}) for {:.1f} s", what, state.collectives, state.seconds_ago);
  return fmt::format("computing for {:.1f} s after {} (collectives so far: {})", state.seconds_ago, what,
                     state.collectives);
}

std::string blame(const Board& board) {
  std::vector<std::pair<int, RankState>> ranks;
  for (int r = 0; r < board.world(); ++r) ranks.emplace_back(r, board.state(r));
  std::stable_sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.second.inside, a.second.collectives) < std::tuple(b.second.inside, b.second.collectives);
  });
  std::string text;
  for (const auto& [rank, state] : ranks)
    text += fmt::format("{}rank {} is {}", text.empty() ? "" : "; ", rank, activity(state));
  return text;
}

std::string last_words(const std::filesystem::path& log) {
  std::ifstream in(log, std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(in), {}};
  constexpr std::size_t most = 600;
  if (all.size() > most) all.erase(0, all.size() - most);
  while (!all.empty() && all.back() == '\n') all.pop_back();
  return all;
}

}  // namespace shardbench
