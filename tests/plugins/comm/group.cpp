#include "plugins/comm/group.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/dll/shared_library.hpp>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"

namespace shardbench::test {
namespace {

/// What a rank tells the parent: an address blob, that it is done, or what went wrong.
enum class Kind : std::uint8_t { exchange = 'x', done = 'd', failed = 'f' };

bool write_all(int fd, const void* data, std::size_t bytes) {
  const auto* p = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::send(fd, p, bytes, MSG_NOSIGNAL);
    if (n <= 0) return false;
    p += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_all(int fd, void* data, std::size_t bytes) {
  auto* p = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t n = ::recv(fd, p, bytes, 0);
    if (n <= 0) return false;
    p += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_text(int fd, const std::string& text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  return write_all(fd, &size, sizeof size) && write_all(fd, text.data(), text.size());
}

std::optional<std::string> read_text(int fd) {
  std::uint32_t size = 0;
  if (!read_all(fd, &size, sizeof size)) return std::nullopt;
  std::string text(size, '\0');
  if (!read_all(fd, text.data(), size)) return std::nullopt;
  return text;
}

void tell(int fd, Kind kind, const std::string& text) { write_text(fd, static_cast<char>(kind) + text); }

[[noreturn]] void be_rank(const GroupInput& in, int rank, int fd, const std::function<void(Comm&)>& body) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    CommInput input;
    input.rank = rank;
    input.world = in.world;
    input.options = in.options;
    input.deadline = Clock::now() + in.deadline;
    input.exchange = [&](const std::string& mine) {
      tell(fd, Kind::exchange, mine);
      std::vector<std::string> all;
      for (int r = 0; r < in.world; ++r) {
        auto text = read_text(fd);
        if (!text) throw Error("the parent is gone");
        all.push_back(std::move(*text));
      }
      return all;
    };
    with_comm(in.plugin, input, body);
    tell(fd, Kind::done, {});
  } catch (const std::exception& e) {
    tell(fd, Kind::failed, e.what());
  }
  // Without the destructors of the parent's objects.
  std::fflush(nullptr);
  _exit(0);
}

/// One child, as the parent sees it.
struct Child {
  pid_t pid = -1;
  int fd = -1;
  bool open = true;  ///< it may still speak
  bool done = false;
  std::string trouble;
  std::optional<std::string> blob;
};

/// Once every rank has given a blob, everyone gets all of them.
void serve_exchange(std::vector<Child>& children) {
  for (const auto& child : children)
    if (!child.blob) return;
  for (auto& to : children)
    for (const auto& from : children) write_text(to.fd, *from.blob);
  for (auto& child : children) child.blob.reset();
}

void hear(Child& child) {
  const auto text = read_text(child.fd);
  if (!text || text->empty()) {
    child.open = false;
    return;
  }
  const std::string rest = text->substr(1);
  switch (static_cast<Kind>(text->front())) {
    case Kind::exchange: child.blob = rest; break;
    case Kind::done: child.done = true; break;
    case Kind::failed: child.trouble = rest; break;
  }
}

/// Listens until every child has closed its socket (true) or the deadline passes (false).
bool listen(std::vector<Child>& children, Deadline deadline) {
  for (;;) {
    std::vector<pollfd> fds;
    std::vector<Child*> who;
    for (auto& child : children) {
      if (!child.open) continue;
      fds.push_back({child.fd, POLLIN, 0});
      who.push_back(&child);
    }
    if (fds.empty()) return true;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || ::poll(fds.data(), fds.size(), static_cast<int>(left)) == 0) return false;
    for (std::size_t i = 0; i < fds.size(); ++i)
      if (fds[i].revents != 0) hear(*who[i]);
    serve_exchange(children);
  }
}

/// Waits for the child, which has closed its socket or been killed, and says how it ended if that was not well.
std::string reap(Child& child, bool killed, std::chrono::milliseconds deadline) {
  int status = 0;
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(child.fd);
  if (killed && !child.done && child.trouble.empty())
    return "still running after " + std::to_string(deadline.count()) + " ms";
  if (!child.trouble.empty()) return child.trouble;
  if (WIFSIGNALED(status) && !killed) return "killed by signal " + std::to_string(WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  return child.done ? "" : "ended without a word";
}

}  // namespace

Gate::Gate() {
  if (::pipe(ends_) != 0) throw Error("pipe failed");
}

Gate::~Gate() {
  for (const int end : ends_) ::close(end);
}

void Gate::open() const {
  if (::write(ends_[1], "", 1) != 1) throw Error("the gate did not open");
}

void Gate::wait() const {
  char byte = 0;
  if (::read(ends_[0], &byte, 1) != 1) throw Error("the gate is gone");
}

void with_comm(const std::string& plugin, const CommInput& in, const std::function<void(Comm&)>& body) {
  boost::dll::shared_library library(plugin, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  const auto& descriptor = library.get<const PluginDescriptor>(plugin_symbol);
  if (descriptor.abi != plugin_abi || descriptor.create_comm == nullptr)
    throw Error("it has no descriptor of a comm plugin", plugin);
  const std::unique_ptr<Comm, void (*)(Comm*)> comm(descriptor.create_comm(in), descriptor.destroy_comm);
  body(*comm);
}

std::string run_group(const GroupInput& in, const std::function<void(Comm&)>& body) {
  std::vector<Child> children;
  for (int rank = 0; rank < in.world; ++rank) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) throw Error("socketpair failed");
    const pid_t pid = fork();
    if (pid < 0) throw Error("fork failed");
    if (pid == 0) {
      ::close(fds[0]);
      for (const auto& child : children) ::close(child.fd);
      be_rank(in, rank, fds[1], body);
    }
    ::close(fds[1]);
    children.push_back({pid, fds[0], true, false, {}, {}});
  }
  const bool all_closed = listen(children, Clock::now() + in.deadline);
  std::string report;
  for (std::size_t rank = 0; rank < children.size(); ++rank) {
    const bool killed = !all_closed && children[rank].open;
    if (killed) kill(children[rank].pid, SIGKILL);
    const std::string trouble = reap(children[rank], killed, in.deadline);
    if (!trouble.empty()) report += "rank " + std::to_string(rank) + ": " + trouble + "\n";
  }
  return report;
}

}  // namespace shardbench::test
