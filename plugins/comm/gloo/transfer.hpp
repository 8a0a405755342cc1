#pragma once
#include <gloo/transport/unbound_buffer.h>

#include <memory>

#include "comm/gloo/connect.hpp"
#include "shardbench/comm.hpp"

namespace shardbench::gloo_comm {

/// A send or receive in flight over unbound buffers: Gloo's device thread moves the bytes.
class Transfer final : public Work {
 public:
  Transfer(Operation op, int peer, std::unique_ptr<gloo::transport::UnboundBuffer> buffer,
           std::shared_ptr<const Meshes> meshes);
  /// Gloo closes all its connections when a wait times out.
  bool wait(Deadline deadline) override;

 private:
  Operation op_;
  int peer_;
  std::shared_ptr<const Meshes> meshes_;  ///< the buffer keeps the device, which needs the rest of them
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer_;
  bool done_ = false;
};

/// Work that was complete when it was returned.
class Done final : public Work {
 public:
  bool wait(Deadline) override { return true; }
};

}  // namespace shardbench::gloo_comm
