#pragma once
#include <gloo/transport/context.h>
#include <gloo/transport/tcp/device.h>

#include <memory>
#include <string>

#include "comm/gloo/pulse.hpp"
#include "shardbench/comm.hpp"

namespace shardbench::gloo_comm {

enum class WaitMode { block, poll };

/// Two full meshes of TCP connections over one device (and its thread).
class Meshes {
 public:
  /// Connects this rank with all others: one exchange of addresses, one to know that all are ready. Throws `Error` if
  /// the interface is not usable or a peer does not answer by `in.deadline`.
  Meshes(const CommInput& in, const std::string& interface, WaitMode wait);
  ~Meshes();
  Meshes(const Meshes&) = delete;
  Meshes& operator=(const Meshes&) = delete;

  /// Pairs in synchronous mode, for collectives.
  const std::shared_ptr<gloo::transport::Context>& blocking() const noexcept { return blocking_; }
  /// Pairs in asynchronous mode, for send and recv.
  const std::shared_ptr<gloo::transport::Context>& queued() const noexcept { return queued_; }

 private:
  void connect_to(int peer, const CommInput& in, const std::string& theirs, WaitMode wait);

  std::unique_ptr<Pulse> pulse_;  ///< last to go: the device's loop calls it
  std::shared_ptr<gloo::transport::tcp::Device> device_;
  std::shared_ptr<gloo::transport::Context> blocking_, queued_;
};

}  // namespace shardbench::gloo_comm
