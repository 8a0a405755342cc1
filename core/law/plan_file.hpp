#pragma once
#include <filesystem>
#include <string_view>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// The plan of a text in the form that `parse_plan` reads, valid as it stands: where it has its communication, that is
/// complete and can run in the order of its sends and receives. It is then left out, since the core adds it. Throws
/// `Error` at `name`:line:column.
Plan read_plan(std::string_view text, std::string_view name);

/// The same of a file. Throws `Error` where it cannot be read, too.
Plan read_plan(const std::filesystem::path& file);

}  // namespace shardbench
