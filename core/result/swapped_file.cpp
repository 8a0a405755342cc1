#include "result/swapped_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

bool write_at(int fd, std::string_view text, std::size_t offset) {
  while (!text.empty()) {
    const ssize_t count = ::pwrite(fd, text.data(), text.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

SwappedFile::SwappedFile(std::filesystem::path file)
    : file_(std::move(file)),
      spare_(file_.parent_path() / fmt::format(".{}.{}", file_.filename().string(), ::getpid())) {}

SwappedFile::SwappedFile(SwappedFile&& other) noexcept
    : file_(std::move(other.file_)),
      spare_(std::exchange(other.spare_, {})),
      stable_in_file_(other.stable_in_file_),
      stable_in_spare_(other.stable_in_spare_) {}

SwappedFile::~SwappedFile() {
  if (!spare_.empty()) ::unlink(spare_.c_str());
}

bool SwappedFile::write_spare(std::string_view stable, std::string_view tail) {
  const int fd = ::open(spare_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  const std::size_t known = std::exchange(stable_in_spare_, 0);  // unknown again, should writing fail
  const bool written = write_at(fd, stable.substr(known), known) && write_at(fd, tail, stable.size()) &&
                       ::ftruncate(fd, static_cast<off_t>(stable.size() + tail.size())) == 0;
  const int reason = errno;
  const bool closed = ::close(fd) == 0;
  if (!written) errno = reason;
  if (written && closed) stable_in_spare_ = stable.size();
  return written && closed;
}

bool SwappedFile::swap_names() {
  std::swap(stable_in_file_, stable_in_spare_);
  if (::renameat2(AT_FDCWD, spare_.c_str(), AT_FDCWD, file_.c_str(), RENAME_EXCHANGE) == 0) return true;
  stable_in_spare_ = 0;  // there is no spare after a plain rename
  return (errno == ENOENT || errno == EINVAL || errno == ENOSYS) && ::rename(spare_.c_str(), file_.c_str()) == 0;
}

void SwappedFile::put(std::string_view stable, std::string_view tail) {
  if (write_spare(stable, tail) && swap_names()) return;
  const int reason = errno;
  ::unlink(spare_.c_str());
  stable_in_spare_ = 0;
  throw Error(fmt::format("cannot write {} bytes: {}", stable.size() + tail.size(), std::strerror(reason)),
              file_.string(), "check space and permissions, or choose another --out folder");
}

}  // namespace shardbench
