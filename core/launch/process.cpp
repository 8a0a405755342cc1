#include "launch/process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/caught.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

[[noreturn]] void run_child(pid_t parent, pid_t group, const std::filesystem::path& log,
                            const std::function<int()>& body) {
  ::setpgid(0, group);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(125);  // the driver died before the line above
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const int null = ::open("/dev/null", O_RDONLY);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (null < 0 || out < 0) ::_exit(125);
  ::dup2(null, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  // exit() would run what the driver has registered for its own end.
  ::on_exit([](int exit_status, void*) { std::fflush(nullptr), ::_exit(exit_status); }, nullptr);
  int status = 125;
  try {
    status = body();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "%s\n", caught_text().c_str());
  }
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace

Process::Process(pid_t group, const std::filesystem::path& log, const std::function<int()>& body) {
  std::fflush(nullptr);  // or the child prints the driver's buffers again
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0)
    throw Error(std::string("a rank cannot be started: ") + std::strerror(errno), "fork",
                "close other programs, or raise the limit of processes (ulimit -u)");
  if (id_ == 0) run_child(parent, group, log, body);
  ::setpgid(id_, group);  // in both, so that neither is early
}

Process::Process(Process&& other) noexcept : id_(other.id_), status_(other.status_) { other.id_ = -1; }

Process::~Process() {
  if (id_ > 0) kill();
}

std::optional<int> Process::wait(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!status_) {
    int status = 0;
    const pid_t got = ::waitpid(id_, &status, WNOHANG);
    if (got == id_) status_ = status;
    if (got < 0 && errno != EINTR) throw Error(std::string("waiting for a rank failed: ") + std::strerror(errno));
    if (status_ || std::chrono::steady_clock::now() >= until) break;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return status_;
}

void Process::kill() {
  if (status_) return;
  ::kill(id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
}

std::string text_of_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  return "exited with status " + std::to_string(WEXITSTATUS(wait_status));
}

}  // namespace shardbench
