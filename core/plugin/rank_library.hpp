#pragma once
#include <boost/dll/shared_library.hpp>
#include <filesystem>

namespace shardbench {

/// The file of the library that holds the rank programs and all of LibTorch: SHARDBENCH_RANK_LIBRARY where it is set,
/// else ../lib/libshardbench_rank.so from the executable.
std::filesystem::path rank_library_file();

/// Loads it, with LibTorch behind it (0.3 s). Throws `Error` where it is missing or cannot be loaded.
boost::dll::shared_library load_rank_library();

}  // namespace shardbench
