#pragma once
#include <filesystem>

namespace shardbench {

/// A rank as mpirun knows it, connected to the driver.
struct JoinedRank {
  int rank = 0;
  int world = 1;
  int descriptor = -1;  ///< connected socket to the driver
};

/// In a process that mpirun started: sends its output to the rank's log in the group's `folder`, connects to the driver
/// there and says who it is. From now on this process ends with its mpirun. Throws `Error` where mpirun did not start
/// it or the driver is gone.
JoinedRank join_driver(const std::filesystem::path& folder);

/// The socket of a group's folder that its ranks connect to; the folder is private to the user (mode 0700).
std::filesystem::path socket_file(const std::filesystem::path& folder);

}  // namespace shardbench
