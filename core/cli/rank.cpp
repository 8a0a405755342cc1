#include <cstdio>
#include <cstdlib>

#include "cli/commands.hpp"
#include "launch/mpirun_rank.hpp"
#include "plugin/rank_library.hpp"

namespace shardbench {

int rank(const Arguments& arguments) {
  const RankStart start = join_driver(arguments.group);
  const auto library = load_rank_library();
  const int status = library.get<int(const RankStart*)>("shardbench_rank_main")(&start);
  if (status != 0) {  // MPI would wait for its peers on the way out
    std::fflush(nullptr);
    std::_Exit(status);
  }
  return status;
}

}  // namespace shardbench
