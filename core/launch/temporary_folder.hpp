#pragma once
#include <filesystem>

namespace shardbench {

/// A private folder (mode 0700) under `root` (default: TMPDIR or /tmp), removed with all it holds at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  explicit TemporaryFolder(const std::filesystem::path& root);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace shardbench
