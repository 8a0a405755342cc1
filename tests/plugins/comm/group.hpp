#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "shardbench/comm.hpp"

namespace shardbench::test {

/// A comm plugin, and how its ranks are started by `run_group`.
struct GroupInput {
  std::string plugin;  ///< file
  int world = 1;
  std::map<std::string, std::string> options;  ///< of the plugin
  std::chrono::milliseconds deadline = std::chrono::seconds(60);
};

/// Loads the plugin (rtld_now | rtld_local, as the driver does) and gives its end of a group to `body`.
/// Throws `Error` if the file has no descriptor.
void with_comm(const std::string& plugin, const CommInput& in, const std::function<void(Comm&)>& body);

/// Something that one rank waits for until another lets it go on, in place of a time that would be long enough. Made
/// before the ranks are forked.
class Gate {
 public:
  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void open() const;
  void wait() const;

 private:
  int ends_[2] = {-1, -1};  ///< of a pipe
};

/// Forks `world` processes that each run `body` on their own end of one group, and serves their address exchange.
/// Returns nothing but "" when all came through, else one line per rank that did not: "rank 1: what it threw",
/// "rank 0: killed by signal 11", "rank 2: still running after 500 ms". No process is left behind.
std::string run_group(const GroupInput& in, const std::function<void(Comm&)>& body);

}  // namespace shardbench::test
