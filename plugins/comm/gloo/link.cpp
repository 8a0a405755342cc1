#include "link.hpp"

#include <gloo/transport/pair.h>

#include <exception>
#include <string>
#include <utility>

#include "shardbench/error.hpp"

namespace shardbench::gloo_comm {
namespace {

/// Slots by direction: up to a higher rank, down to a lower one.
int slot_between(int sender, int receiver) { return sender < receiver ? 0 : 1; }

[[noreturn]] void fail(const char* what, int peer, const std::exception& cause) {
  throw Error(std::string("gloo could not ") + what + " rank " + std::to_string(peer) + ": " + cause.what(), {},
              "see what ended or stopped that rank");
}

}  // namespace

Outgoing::Outgoing(gloo::transport::Pair& pair, int slot, int peer, const void* base, std::size_t bytes,
                   std::atomic<std::uint64_t>& sent)
    : buffer_(pair.createSendBuffer(slot, const_cast<void*>(base), bytes)), sent_(sent), peer_(peer) {}

void Outgoing::send(std::size_t offset, std::size_t bytes, std::size_t remote_offset) {
  try {
    buffer_->send(offset, bytes, remote_offset);
  } catch (const std::exception& cause) {
    fail("send to", peer_, cause);
  }
  sent_.fetch_add(bytes, std::memory_order_relaxed);
}

Incoming::Incoming(gloo::transport::Pair& pair, int slot, int peer, void* base, std::size_t bytes)
    : buffer_(pair.createRecvBuffer(slot, base, bytes)), peer_(peer) {}

void Incoming::receive() {
  try {
    buffer_->waitRecv();
  } catch (const std::exception& cause) {
    fail("receive from", peer_, cause);
  }
}

Link::Link(int rank, int world, std::shared_ptr<gloo::transport::Context> pairs, std::atomic<std::uint64_t>& sent)
    : rank_(rank),
      world_(world),
      pairs_(std::move(pairs)),
      sent_(sent),
      staging_(std::make_unique_for_overwrite<std::byte[]>(chunk_bytes)) {
  widen_send_buffers();
}

void Link::widen_send_buffers() {
  constexpr std::size_t bytes = std::size_t{208} * 1024;
  const auto message = std::make_unique<std::byte[]>(bytes);
  std::atomic<std::uint64_t> not_payload{0};
  for (int peer = 0; peer < world_; ++peer) {
    if (peer == rank_) continue;
    Outgoing to(*pairs_->getPair(peer), slot_between(rank_, peer), peer, message.get(), bytes, not_payload);
    Incoming from = incoming(peer, message.get(), bytes);
    if (rank_ < peer) to.send(0, bytes, 0);
    from.receive();
    if (rank_ > peer) to.send(0, bytes, 0);
  }
}

Outgoing Link::outgoing(int peer, const void* base, std::size_t bytes) {
  return {*pairs_->getPair(peer), slot_between(rank_, peer), peer, base, bytes, sent_};
}

Incoming Link::incoming(int peer, void* base, std::size_t bytes) {
  return {*pairs_->getPair(peer), slot_between(peer, rank_), peer, base, bytes};
}

}  // namespace shardbench::gloo_comm
