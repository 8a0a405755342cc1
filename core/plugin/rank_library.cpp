#include "plugin/rank_library.hpp"

#include <cstdlib>

#include "plugin/library.hpp"
#include "plugin/search.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

std::filesystem::path rank_library_file() {
  if (const char* value = std::getenv("SHARDBENCH_RANK_LIBRARY"); value != nullptr && *value != '\0') return value;
  return executable_folder().parent_path() / "lib" / "libshardbench_rank.so";
}

boost::dll::shared_library load_rank_library() {
  const auto file = rank_library_file();
  if (!std::filesystem::exists(file))
    throw Error("the library of the rank programs is not there, so nothing can be run", file.string(),
                "build or install shardbench completely, or name the file in SHARDBENCH_RANK_LIBRARY");
  return load_library(file, "the loader refuses the library of the rank programs",
                      "put back the LibTorch that it was built with, or rebuild shardbench with another one");
}

}  // namespace shardbench
