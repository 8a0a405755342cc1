#include "suite/launch_order.hpp"

#include <map>
#include <string>

#include "suite/case_json.hpp"

namespace shardbench {

std::vector<std::size_t> launch_order(const std::vector<Case>& cases) {
  std::vector<std::vector<std::size_t>> works;  // in the order of their first case
  std::map<std::string, std::size_t> known;
  int rounds = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto [work, is_new] = known.emplace(work_of(cases[i]), works.size());
    if (is_new) works.emplace_back();
    works[work->second].push_back(i);
    rounds = std::max(rounds, cases[i].launches);
  }
  std::vector<std::size_t> order;
  for (int round = 0; round < rounds; ++round)
    for (const auto& work : works)
      for (const std::size_t i : work)
        if (round < cases[i].launches) order.push_back(i);
  return order;
}

}  // namespace shardbench
