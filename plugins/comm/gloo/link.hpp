#pragma once
#include <gloo/transport/buffer.h>
#include <gloo/transport/context.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace shardbench::gloo_comm {

/// Memory that is sent to one peer, from any offset.
class Outgoing {
 public:
  Outgoing(gloo::transport::Pair& pair, int slot, int peer, const void* base, std::size_t bytes,
           std::atomic<std::uint64_t>& sent);
  /// Hands `bytes` at `offset` to the socket; they land at `remote_offset` of what the peer receives into. Blocks while
  /// the socket's buffers are full. Throws `Error` naming the peer.
  void send(std::size_t offset, std::size_t bytes, std::size_t remote_offset);

 private:
  std::unique_ptr<gloo::transport::Buffer> buffer_;
  std::atomic<std::uint64_t>& sent_;
  int peer_;
};

/// Memory that one peer sends into.
class Incoming {
 public:
  Incoming(gloo::transport::Pair& pair, int slot, int peer, void* base, std::size_t bytes);
  /// Blocks until the peer's next message has been read, in this thread. Throws `Error` naming the peer.
  void receive();

 private:
  std::unique_ptr<gloo::transport::Buffer> buffer_;
  int peer_;
};

/// The blocking streams from this rank to all others: pairs in Gloo's synchronous mode, in which send and receive are
/// plain writev and recv of the calling thread and no device thread takes part. One thread at a time.
///
/// Messages of a pair arrive in the order sent, so one slot per direction is enough. It must differ from the other
/// direction's: destroying a buffer unregisters whatever has its slot.
class Link {
 public:
  /// A message is at most this long. Ranks send before they receive, so it must fit into a socket's send buffer.
  static constexpr std::size_t chunk_bytes = std::size_t{128} * 1024;

  /// Sends one message each way over every pair, see widen_send_buffers().
  Link(int rank, int world, std::shared_ptr<gloo::transport::Context> pairs, std::atomic<std::uint64_t>& sent);

  int rank() const noexcept { return rank_; }
  int world() const noexcept { return world_; }
  Outgoing outgoing(int peer, const void* base, std::size_t bytes);
  Incoming incoming(int peer, void* base, std::size_t bytes);
  /// `chunk_bytes` of scratch memory, aligned for any element.
  std::byte* staging() noexcept { return staging_.get(); }

 private:
  /// Gloo sets a socket's send buffer to twice its longest message so far, and Linux does not let it grow by itself
  /// after that. With chunks alone it would be so tight that writers wait for the peer's delayed acknowledgements (40
  /// ms at times). One longer message makes it the 416 KiB that Linux allows everywhere (net.core.wmem_max).
  void widen_send_buffers();

  int rank_, world_;
  std::shared_ptr<gloo::transport::Context> pairs_;
  std::atomic<std::uint64_t>& sent_;
  std::unique_ptr<std::byte[]> staging_;
};

/// A stretch of an array, in bytes.
struct Stretch {
  std::size_t offset = 0, bytes = 0;
};

/// Sends one stretch and receives another in turn, chunk by chunk, and gives every received chunk to
/// `take(offset within the stretch, bytes)`. The next chunk is sent before that, so the peer need not wait for it.
/// `landing(offset within the sent stretch)` is where a sent chunk lands at the peer.
///
/// No cycle of ranks that all do this deadlocks: they send chunk i after having received chunk i - 1, so the one that
/// is furthest behind has a channel before it that holds nothing but its own chunk, which fits.
template <typename Landing, typename Take>
void in_turn(Outgoing& to, Stretch out, Incoming& from, Stretch in, Landing&& landing, Take&& take) {
  std::size_t sent = 0, received = 0;
  const auto send_next = [&] {
    if (sent == out.bytes) return;
    const std::size_t bytes = out.bytes - sent < Link::chunk_bytes ? out.bytes - sent : Link::chunk_bytes;
    to.send(out.offset + sent, bytes, landing(sent));
    sent += bytes;
  };
  send_next();
  while (received < in.bytes) {
    const std::size_t bytes = in.bytes - received < Link::chunk_bytes ? in.bytes - received : Link::chunk_bytes;
    from.receive();
    send_next();
    take(received, bytes);
    received += bytes;
  }
  while (sent < out.bytes) send_next();
}

}  // namespace shardbench::gloo_comm
