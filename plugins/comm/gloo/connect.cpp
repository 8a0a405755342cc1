#include "connect.hpp"

#include <gloo/transport/address.h>
#include <gloo/transport/device.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/attr.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>
#include <exception>
#include <vector>

#include "shardbench/error.hpp"

namespace shardbench::gloo_comm {
namespace {

/// How long one blocking call may take before Gloo gives up. Generous: the driver ends what hangs, with a better
/// message.
constexpr std::chrono::milliseconds longest_call = std::chrono::minutes(10);

std::shared_ptr<gloo::transport::tcp::Device> open_device(const std::string& interface) {
  gloo::transport::tcp::attr attributes;
  attributes.iface = interface;
  try {
    return std::static_pointer_cast<gloo::transport::tcp::Device>(gloo::transport::tcp::CreateDevice(attributes));
  } catch (const std::exception& cause) {
    throw Error("gloo cannot use the network interface '" + interface + "': " + cause.what(), "option interface",
                "name one that `ip address` lists, or leave it out for 'lo'");
  }
}

/// A context whose pairs listen, and the addresses of its pairs in rank order, appended to `addresses`.
std::shared_ptr<gloo::transport::Context> open_pairs(gloo::transport::Device& device, const CommInput& in,
                                                     std::string& addresses) {
  auto context = device.createContext(in.rank, in.world);
  context->setTimeout(longest_call);
  std::vector<std::vector<char>> listed(static_cast<std::size_t>(in.world));
  std::size_t size = 0;
  for (int peer = 0; peer < in.world; ++peer) {
    if (peer == in.rank) continue;
    listed[static_cast<std::size_t>(peer)] = context->createPair(peer)->address().bytes();
    size = listed[static_cast<std::size_t>(peer)].size();
  }
  for (auto& address : listed) {
    address.resize(size);  // there is none to oneself
    addresses.append(address.begin(), address.end());
  }
  return context;
}

/// The address that `blob` (of a peer) gives for `rank` in its context number `context` of two.
std::vector<char> address_in(const std::string& blob, int context, const CommInput& in) {
  const std::size_t size = blob.size() / (2 * static_cast<std::size_t>(in.world));
  const std::size_t at = (static_cast<std::size_t>(context * in.world + in.rank)) * size;
  const std::string address = blob.substr(at, size);
  return {address.begin(), address.end()};
}

void check_in_time(const CommInput& in) {
  if (Clock::now() > in.deadline)
    throw Error(
        "rank " + std::to_string(in.rank) + " of " + std::to_string(in.world) + " was not connected by its deadline",
        {}, "see what the other ranks are doing, or give the case a longer deadline");
}

}  // namespace

Meshes::Meshes(const CommInput& in, const std::string& interface, WaitMode wait) : device_(open_device(interface)) {
  pulse_ = std::make_unique<Pulse>(*device_);
  std::string addresses;
  blocking_ = open_pairs(*device_, in, addresses);
  queued_ = open_pairs(*device_, in, addresses);
  const std::vector<std::string> all = in.exchange(addresses);
  pulse_->start();
  for (int peer = 0; peer < in.world; ++peer) {
    if (peer == in.rank) continue;
    check_in_time(in);
    const std::string& theirs = all.at(static_cast<std::size_t>(peer));
    if (theirs.size() != addresses.size())
      throw Error("rank " + std::to_string(peer) + " gave " + std::to_string(theirs.size()) +
                  " bytes of addresses, but rank " + std::to_string(in.rank) + " has " +
                  std::to_string(addresses.size()));
    try {
      connect_to(peer, in, theirs, wait);
    } catch (const std::exception& cause) {
      throw Error("gloo could not connect rank " + std::to_string(in.rank) + " with rank " + std::to_string(peer) +
                      " over '" + interface + "': " + cause.what(),
                  {}, "see whether that rank has ended");
    }
  }
  pulse_->stop();
  in.exchange({});  // no byte may reach a pair before it is in its mode
  check_in_time(in);
}

void Meshes::connect_to(int peer, const CommInput& in, const std::string& theirs, WaitMode wait) {
  blocking_->getPair(peer)->connect(address_in(theirs, 0, in));
  queued_->getPair(peer)->connect(address_in(theirs, 1, in));
  blocking_->getPair(peer)->setSync(true, wait == WaitMode::poll);
}

Meshes::~Meshes() {
  pulse_->start();
  queued_.reset();
  blocking_.reset();
  device_.reset();
}

}  // namespace shardbench::gloo_comm
