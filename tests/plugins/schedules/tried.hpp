#pragma once
#include <vector>

namespace shardbench::testing {

/// Every schedule that is arithmetic (not csv), with numbers of chunks to try and the fewest microbatches it takes.
struct Tried {
  const char* name;
  std::vector<int> chunks;
  bool rounds = false;  ///< m / p rounds, which have to divide m
  bool full = false;    ///< m >= 2p
  bool takes(int ranks, int microbatches) const {
    if (full && microbatches < 2 * ranks) return false;
    return !rounds || microbatches < ranks || microbatches % (microbatches / ranks) == 0;
  }
};
inline const std::vector<Tried>& all_schedules() {
  static const std::vector<Tried> all{{"gpipe", {1}},
                                      {"1f1b", {1}},
                                      {"eager_1f1b", {1}},
                                      {"interleaved_1f1b", {1, 2, 3}, true},
                                      {"looped_bfs", {1, 2, 3}},
                                      {"zb_h1", {1}},
                                      {"zb_h2", {1}},
                                      {"interleaved_zb", {1, 2, 3}, true},
                                      {"zbv", {2}},
                                      {"v_half", {2}},
                                      {"v_min", {2}},
                                      {"dualpipev", {2}, false, true}};
  return all;
}

}  // namespace shardbench::testing
