#include "gloo_comm.hpp"

#include <gloo/config.h>

#include <csignal>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "comm/gloo/halving_doubling.hpp"
#include "comm/gloo/ring.hpp"
#include "comm/gloo/transfer.hpp"
#include "comm/gloo/tree.hpp"
#include "shardbench/error.hpp"

namespace shardbench::gloo_comm {
namespace {

std::string option(const CommInput& in, const std::string& name, const std::string& otherwise) {
  const auto it = in.options.find(name);
  return it == in.options.end() || it->second.empty() ? otherwise : it->second;
}

/// Gloo writes to sockets without MSG_NOSIGNAL: the end of a peer would end this process before it can say why.
void let_writes_fail() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

void copy(void* to, const void* from, std::size_t bytes) {
  if (to != from && bytes > 0) std::memcpy(to, from, bytes);
}

template <typename Start>
void start_transfer(Operation op, int peer, Start&& start) {
  try {
    start();
  } catch (const std::exception& cause) {
    throw Error("gloo could not start a " + std::string(name_of(op)) + " with rank " + std::to_string(peer) + ": " +
                    cause.what(),
                {}, "see what ended or stopped that rank");
  }
}

}  // namespace

GlooComm::GlooComm(const CommInput& in)
    : Comm(in.rank, in.world),
      interface_(option(in, "interface", "lo")),
      wait_(option(in, "wait", "block") == "poll" ? WaitMode::poll : WaitMode::block),
      async_(option(in, "mode", "auto") == "async"),
      algorithm_(option(in, "algorithm", "auto")) {
  if (in.world < 1 || in.rank < 0 || in.rank >= in.world)
    throw Error("rank " + std::to_string(in.rank) + " is not in a world of " + std::to_string(in.world));
  if (in.world == 1) return;
  let_writes_fail();
  meshes_ = std::make_shared<const Meshes>(in, interface_, wait_);
  link_.emplace(in.rank, in.world, meshes_->blocking(), sent_);
  if (async_) worker_.emplace();
}

GlooComm::~GlooComm() = default;

/// Runs a collective here or in the worker's thread, and names the operation where it fails. `collective` takes the
/// link and owns copies of all but the buffers.
template <typename Collective>
std::unique_ptr<Work> GlooComm::run(Operation op, Collective collective) {
  auto job = [this, op, collective = std::move(collective)] {
    try {
      collective(*link_);
    } catch (const Error& error) {
      throw Error(std::string(name_of(op)) + " on rank " + std::to_string(rank()) + ": " + error.problem(),
                  error.where(), error.cure());
    }
  };
  if (worker_) return worker_->start(std::move(job));
  job();
  return std::make_unique<Done>();
}

std::unique_ptr<Work> GlooComm::do_barrier() {
  if (!link_) return std::make_unique<Done>();
  return run(Operation::barrier, [](Link& link) { gloo_comm::barrier(link); });
}

std::unique_ptr<Work> GlooComm::do_broadcast(void* data, std::size_t count, DType dtype, int root) {
  if (!link_) return std::make_unique<Done>();
  return run(Operation::broadcast,
             [=, bytes = count * size_of(dtype)](Link& link) { gloo_comm::broadcast(link, data, bytes, root); });
}

std::unique_ptr<Work> GlooComm::do_all_reduce(void* data, std::size_t count, DType dtype, ReduceOp op) {
  if (!link_) return std::make_unique<Done>();
  const bool halving = halves(count * size_of(dtype));
  return run(Operation::all_reduce, [=](Link& link) {
    (halving ? all_reduce_halving_doubling : gloo_comm::all_reduce)(link, data, count, dtype, op);
  });
}

std::unique_ptr<Work> GlooComm::do_reduce_scatter(void* input, void* output, std::span<const std::size_t> counts,
                                                  DType dtype, ReduceOp op) {
  if (!link_) {
    copy(output, input, counts[0] * size_of(dtype));
    return std::make_unique<Done>();
  }
  return run(Operation::reduce_scatter, [=, parts = std::vector(counts.begin(), counts.end())](Link& link) {
    gloo_comm::reduce_scatter(link, input, output, parts, dtype, op);
  });
}

std::unique_ptr<Work> GlooComm::do_all_gather(const void* input, void* output, std::span<const std::size_t> counts,
                                              DType dtype) {
  if (!link_) {
    copy(output, input, counts[0] * size_of(dtype));
    return std::make_unique<Done>();
  }
  return run(Operation::all_gather, [=, parts = std::vector(counts.begin(), counts.end())](Link& link) {
    gloo_comm::all_gather(link, input, output, parts, dtype);
  });
}

std::unique_ptr<Work> GlooComm::do_all_to_all(const void* input, void* output, std::size_t count, DType dtype) {
  if (!link_) {
    copy(output, input, count * size_of(dtype));
    return std::make_unique<Done>();
  }
  return run(Operation::all_to_all, [=](Link& link) { gloo_comm::all_to_all(link, input, output, count, dtype); });
}

std::unique_ptr<Work> GlooComm::do_send(const void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
  const std::size_t bytes = count * size_of(dtype);
  if (bytes == 0) return std::make_unique<Done>();
  auto buffer = meshes_->queued()->createUnboundBuffer(const_cast<void*>(data), bytes);
  start_transfer(Operation::send, peer, [&] { buffer->send(peer, tag, 0, bytes); });
  sent_.fetch_add(bytes, std::memory_order_relaxed);
  return std::make_unique<Transfer>(Operation::send, peer, std::move(buffer), meshes_);
}

std::unique_ptr<Work> GlooComm::do_recv(void* data, std::size_t count, DType dtype, int peer, std::uint32_t tag) {
  const std::size_t bytes = count * size_of(dtype);
  if (bytes == 0) return std::make_unique<Done>();
  auto buffer = meshes_->queued()->createUnboundBuffer(data, bytes);
  start_transfer(Operation::recv, peer, [&] { buffer->recv(peer, tag, 0, bytes); });
  return std::make_unique<Transfer>(Operation::recv, peer, std::move(buffer), meshes_);
}

CommDescription GlooComm::describe() const {
  CommDescription d;
  d.library = "gloo";
  d.version = std::to_string(GLOO_VERSION_MAJOR) + "." + std::to_string(GLOO_VERSION_MINOR) + "." +
              std::to_string(GLOO_VERSION_PATCH);
  d.transport = world() == 1 ? "none" : "tcp on " + interface_;
  d.wait_mode = std::string(async_ ? "async, " : "sync, ") + (wait_ == WaitMode::poll ? "poll" : "block");
  d.details["collectives"] = async_ ? "synchronous pairs in a thread of their own" : "synchronous pairs";
  d.details["send_recv"] = "asynchronous pairs, device thread";
  d.details["chunk_bytes"] = std::to_string(Link::chunk_bytes);
  return d;
}

bool GlooComm::halves(std::size_t bytes) const {
  if (algorithm_ == "ring" || !can_halve(world(), bytes)) return false;
  return algorithm_ == "halving_doubling" || world() > 2;
}

std::string GlooComm::algorithm(Operation op, std::size_t bytes) const {
  if (world() == 1) return "local";
  const std::string mode = async_ ? ", async" : ", sync";
  switch (op) {
    case Operation::barrier: return "dissemination" + mode;
    case Operation::broadcast: return "binomial tree" + mode;
    case Operation::all_reduce: return (halves(bytes) ? "halving-doubling" : world() == 2 ? "exchange" : "ring") + mode;
    case Operation::reduce_scatter:
    case Operation::all_gather: return "ring" + mode;
    case Operation::all_to_all: return "pairwise" + mode;
    case Operation::send:
    case Operation::recv: return "direct, async";
  }
  return {};
}

}  // namespace shardbench::gloo_comm
