#pragma once
#include <chrono>
#include <filesystem>
#include <string_view>

namespace shardbench {

/// Makes root/<suite>-<UTC time, 20260730T140509Z> and gives its path; where another run has just made it, the same
/// name with -2, -3, ... Characters of the suite's name other than letters, digits, '.', '_' and '-' become '-'.
/// Throws `Error` when it cannot.
std::filesystem::path new_run_folder(const std::filesystem::path& root, std::string_view suite,
                                     std::chrono::system_clock::time_point started = std::chrono::system_clock::now());

/// Makes root/latest a link to `folder` (relative where the folder lies in root), in one step for readers. Throws
/// `Error` when it cannot, so also where `latest` is something other than a link.
void point_latest(const std::filesystem::path& root, const std::filesystem::path& folder);

}  // namespace shardbench
