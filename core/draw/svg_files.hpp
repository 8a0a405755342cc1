#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "result/case_result.hpp"

namespace shardbench {

/// Writes pictures to `folder` and makes it where it is missing; the number of files. Of every case, its step (cases
/// without phases have none) and, of a pipeline, its plan simulated and executed; of all together, charts against the
/// horizon. Throws `Error` where it cannot write.
std::size_t write_svg_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder);

/// The id with '_' for everything that does not belong in a file's name; ids longer than a name may be are cut.
std::string svg_file_name(const std::string& case_id);

/// Writes what `text_of` gives of each case to `folder`, one file per case, and makes the folder where it is missing;
/// the number of files. Cases of which it gives nothing have none. Throws `Error` naming `flag` where it cannot write.
std::size_t write_case_files(const std::vector<CaseResult>& results, const std::filesystem::path& folder,
                             const std::string& extension, const std::string& flag,
                             const std::function<std::string(const CaseResult&)>& text_of);

}  // namespace shardbench
