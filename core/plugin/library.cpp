#include "plugin/library.hpp"

#include <dlfcn.h>
#include <boost/system/error_code.hpp>

#include "shardbench/error.hpp"

namespace shardbench {

boost::dll::shared_library load_library(const std::filesystem::path& file, const std::string& problem,
                                        const std::string& cure) {
  boost::system::error_code error;
  boost::dll::shared_library library;
  library.load(boost::dll::fs::path(file.string()), error,
               boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local |
                   static_cast<boost::dll::load_mode::type>(RTLD_NODELETE));
  if (error) {
    const char* said = ::dlerror();  // Boost.DLL gives only "Bad file descriptor"
    throw Error(problem + ": " + (said != nullptr ? said : error.message().c_str()), file.string(), cure);
  }
  return library;
}

}  // namespace shardbench
