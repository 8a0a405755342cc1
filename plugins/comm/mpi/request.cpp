#include "request.hpp"

#include <utility>

#include "comm/mpi/library.hpp"

namespace shardbench::mpi_comm {

bool wait_all(std::vector<MPI_Request>& requests, Deadline deadline, const char* what) {
  for (;;) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), what);
    if (done != 0) return true;
    if (Clock::now() >= deadline) {
      give_up();
      return false;
    }
  }
}

Request::Request(Operation op, std::vector<int> counts) : op_(op), counts_(std::move(counts)) {}

bool Request::wait(Deadline deadline) { return wait_all(requests_, deadline, name_of(op_).data()); }

}  // namespace shardbench::mpi_comm
