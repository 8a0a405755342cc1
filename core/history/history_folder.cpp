#include "history/history_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "history/record.hpp"
#include "result/read_results.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const char* what) {
  throw Error(fmt::format("the run cannot be added to the history: {} failed: {}", what, std::strerror(errno)),
              file.string(), "check the permissions and the space on the disk");
}

/// Closed with the object.
class OpenFile {
 public:
  OpenFile(const fs::path& file, int flags) : descriptor_(::open(file.c_str(), flags | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail(file, "open");
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

void write_durably(const fs::path& file, std::string_view text) {
  const OpenFile out(file, O_WRONLY | O_CREAT | O_EXCL);
  while (!text.empty()) {
    const ssize_t written = ::write(out.descriptor(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(file, "write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(out.descriptor()) != 0) fail(file, "fsync");
}

/// "20260730T140509Z" of "2026-07-30T14:05:09Z"; the suite's name without what a file's name should not have.
std::string name_of(const RecordedRun& run) {
  std::string name;
  for (const char c : run.started)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  name += '-';
  for (const char c : run.suite) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    name += plain ? c : '-';
  }
  return name;
}

}  // namespace

fs::path add_to_history(const fs::path& folder, const RecordedRun& run) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error("the history's folder cannot be made: " + failed.message(), folder.string());
  const std::string text = record_text(run);
  std::random_device random;
  for (;;) {
    const std::string name = fmt::format("{}-{:08x}.json", name_of(run), random());
    fs::path file = folder / name;
    const fs::path spare = folder / ('.' + name);
    if (fs::exists(file) || fs::exists(spare)) continue;
    write_durably(spare, text);
    const int linked = ::link(spare.c_str(), file.c_str()), why = errno;
    ::unlink(spare.c_str());
    errno = why;
    if (linked != 0 && errno == EEXIST) continue;
    if (linked != 0) fail(file, "link");
    const OpenFile directory(folder, O_RDONLY | O_DIRECTORY);
    if (::fsync(directory.descriptor()) != 0) fail(folder, "fsync");
    return file;
  }
}

History read_history(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw Error("there is no history", folder.string(), "shardbench run SUITE --history DIR makes one");
  History history;
  NamePool pool;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.starts_with('.') || !entry.is_regular_file()) continue;
    try {
      history.runs.push_back(read_summary(entry.path(), pool));
    } catch (const Error& e) {
      history.damaged.push_back({entry.path(), e.problem()});
    }
  }
  std::sort(history.runs.begin(), history.runs.end(), [](const HistoryRun& a, const HistoryRun& b) {
    return std::pair(a.started, a.file) < std::pair(b.started, b.file);
  });
  std::sort(history.damaged.begin(), history.damaged.end(),
            [](const DamagedFile& a, const DamagedFile& b) { return a.file < b.file; });
  return history;
}

}  // namespace shardbench
