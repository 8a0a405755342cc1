#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "result/case_result.hpp"

namespace shardbench {

/// Writes the picture of every case's step to `folder`, one file per case, and makes the folder where it is missing;
/// the number of files. Cases without phases have none. Throws `Error` where it cannot write.
std::size_t write_svg_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder);

/// The id with '_' for everything that does not belong in a file's name; ids longer than a name may be are cut.
std::string svg_file_name(const std::string& case_id);

}  // namespace shardbench
