#pragma once
#include <gloo/transport/tcp/loop.h>

namespace gloo::transport::tcp {
class Device;
}

namespace shardbench::gloo_comm {

/// Keeps the event loop of a device turning while it beats.
///
/// Whoever takes a socket off the loop waits for the loop's next turn, which an idle loop makes every 10 ms
/// (gloo::transport::tcp::Loop): each pair's change to synchronous mode, and each one's end. With a descriptor that is
/// always readable the turns are immediate. The descriptor stays on the loop, so a pulse must outlive its device.
class Pulse final : public gloo::transport::tcp::Handler {
 public:
  explicit Pulse(gloo::transport::tcp::Device& device);
  ~Pulse() override;
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  void start();
  void stop();
  void handleEvents(int events) override;

 private:
  int fd_;
};

}  // namespace shardbench::gloo_comm
