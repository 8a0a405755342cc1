#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "shardbench/error.hpp"

namespace shardbench::testing {

/// The test plugin that tests/plugin/CMakeLists.txt calls `name`.
inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(FIXTURES) / ("schedule_" + name + ".so");
}

/// A folder of one test, gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "shardbench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("cannot make a temporary folder", name);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  std::filesystem::path write(const std::string& name, const std::vector<char>& bytes) const {
    std::filesystem::remove(path_ / name);  // ext4 waits for the disk when a file is overwritten in place
    std::ofstream stream(path_ / name, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

  std::filesystem::path copy(const std::filesystem::path& file, const std::string& name) const {
    std::filesystem::copy_file(file, path_ / name, std::filesystem::copy_options::overwrite_existing);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::vector<char> bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What the call throws; a failure of the test if it is no `Error` or nothing.
template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error("nothing was thrown");
}

/// Sets an environment variable for one scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (old_.empty())
      ::unsetenv(name_);
    else
      ::setenv(name_, old_.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string old_;
};

}  // namespace shardbench::testing
