#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

namespace shardbench {

/// A forked child process. Dies with this object, and with the driver whatever ends it.
class Process {
 public:
  /// Forks; the child joins process group `group` (0: becomes the leader of its own), gets /dev/null as stdin and `log`
  /// as stdout and stderr, runs `body` and exits with what it returns. However it ends, exit() included, the driver's
  /// exit handlers do not run in it.
  Process(pid_t group, const std::filesystem::path& log, const std::function<int()>& body);
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  pid_t id() const noexcept { return id_; }
  /// Waits up to that long for the end; nothing if it goes on.
  std::optional<int> wait(std::chrono::milliseconds patience);
  /// Ends it at once.
  void kill();

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

/// "was killed by signal 11 (Segmentation fault)", "exited with status 3".
std::string text_of_status(int wait_status);

}  // namespace shardbench
