#include "launch/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "shardbench/error.hpp"

namespace shardbench {

namespace {

std::filesystem::path default_root() {
  std::error_code failed;
  const auto root = std::filesystem::temp_directory_path(failed);
  return failed ? "/tmp" : root;
}

}  // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(default_root()) {}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& root) {
  std::string name = (root / "shardbench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(std::string("no temporary folder can be made: ") + std::strerror(errno), name,
                "set TMPDIR to a folder that can be written");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // nothing can be done about it at the end
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace shardbench
