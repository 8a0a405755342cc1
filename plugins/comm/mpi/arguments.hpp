#pragma once
#include <map>
#include <string>
#include <vector>

namespace shardbench::mpi_comm {

/// What Open MPI's mpirun is told for the options of a case. What the user has set (OMPI_MCA_...) holds where an option
/// is at its default; an option overrides it.
///
/// - transport=tcp: every message goes over TCP on the loopback interface, as Gloo's do. default: shared memory.
/// - binding=core: every rank on a core of its own (fails where there are fewer). none: the kernel moves ranks at will.
///   auto: core where there are enough, which ranks that poll need: without it, two of them were seen to share a core
///   for whole time slices (4 ms in place of 3 us for an all_reduce of 8 bytes) while another core was idle.
/// - wait=yield: a waiting rank gives its core away (yields, in a loop: Open MPI has no wait that sleeps). poll: it
///   does not. auto: poll where each rank has a core, else yield (mpirun knows that by --oversubscribe).
std::vector<std::string> mpirun_arguments(const std::map<std::string, std::string>& options);

}  // namespace shardbench::mpi_comm
