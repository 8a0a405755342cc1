#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace shardbench {

/// A file that is rewritten again and again, whole or not at all, and cheaply.
///
/// The new text goes into a hidden spare beside the file, and the two change names in one step (renameat2 with
/// RENAME_EXCHANGE): no inode is made or freed, which is what a temporary file per rewrite spends its time on (ext4:
/// 1 to 4 ms). The spare is the text before last, so only what grew since is written. Where the file system cannot
/// exchange, the spare is renamed over the file. Someone who keeps the file open over two rewrites sees it change.
class SwappedFile {
 public:
  explicit SwappedFile(std::filesystem::path file);
  /// Removes the spare.
  ~SwappedFile();
  SwappedFile(SwappedFile&&) noexcept;
  SwappedFile& operator=(SwappedFile&&) = delete;

  /// Makes the file `stable` followed by `tail`. From one call to the next `stable` may only grow at its end.
  /// Throws `Error` when it cannot; the file then is as it was.
  void put(std::string_view stable, std::string_view tail = {});

 private:
  bool write_spare(std::string_view stable, std::string_view tail);
  bool swap_names();

  std::filesystem::path file_, spare_;
  std::size_t stable_in_file_ = 0, stable_in_spare_ = 0;  ///< bytes of `stable` that each begins with
};

}  // namespace shardbench
