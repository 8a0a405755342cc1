#pragma once
#include <filesystem>

#include "control/rank_start.hpp"

namespace shardbench {

/// In a process that mpirun started: sends its output to the rank's log in the group's `folder`, connects to the driver
/// there and says who it is. From now on this process ends with its mpirun. Throws `Error` where mpirun did not start
/// it or the driver is gone.
RankStart join_driver(const std::filesystem::path& folder);

/// The socket of a group's folder that its ranks connect to; the folder is private to the user (mode 0700).
std::filesystem::path socket_file(const std::filesystem::path& folder);

}  // namespace shardbench
