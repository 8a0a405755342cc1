#pragma once
#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <string>

namespace shardbench {

/// Maps a shared library, all symbols bound at once and none given to others (rtld_now | rtld_local, docs/design.md),
/// until the process ends (RTLD_NODELETE): an exception that it throws has its type and its text's code in there, and
/// may outlive everything else of it.
/// Throws `Error` with the file, `problem` and the loader's own words: which symbol or library is missing.
boost::dll::shared_library load_library(const std::filesystem::path& file, const std::string& problem,
                                        const std::string& cure);

}  // namespace shardbench
