#include "transfer.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include "shardbench/error.hpp"

namespace shardbench::gloo_comm {
namespace {

/// What is left until `deadline`, in the range that Gloo takes: 0 would mean for ever, and too much overflows.
std::chrono::milliseconds time_left(Deadline deadline) {
  using std::chrono::milliseconds;
  const auto now = Clock::now();
  if (deadline <= now) return milliseconds(1);
  return std::clamp<milliseconds>(std::chrono::ceil<milliseconds>(deadline - now), milliseconds(1),
                                  std::chrono::hours(24));
}

}  // namespace

Transfer::Transfer(Operation op, int peer, std::unique_ptr<gloo::transport::UnboundBuffer> buffer,
                   std::shared_ptr<const Meshes> meshes)
    : op_(op), peer_(peer), meshes_(std::move(meshes)), buffer_(std::move(buffer)) {}

bool Transfer::wait(Deadline deadline) {
  if (done_) return true;
  try {
    done_ = op_ == Operation::send ? buffer_->waitSend(time_left(deadline)) : buffer_->waitRecv(time_left(deadline));
  } catch (const std::exception& cause) {
    if (Clock::now() >= deadline) return false;
    throw Error("gloo's " + std::string(name_of(op_)) + (op_ == Operation::send ? " to rank " : " from rank ") +
                    std::to_string(peer_) + " failed: " + cause.what(),
                {}, "see what ended or stopped that rank");
  }
  return done_;
}

}  // namespace shardbench::gloo_comm
