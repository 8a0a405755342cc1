#pragma once
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <nlohmann/json.hpp>

namespace shardbench {

using Message = nlohmann::json;

/// A message on the wire: its length in bytes (4, little endian), then CBOR.
std::string encode(const Message& message);
/// The message of a body. Throws `Error` on anything else.
Message decode(const std::string& body);
/// The body's length from the 4 bytes in front of it. Throws `Error` if it is over 1 GiB.
std::size_t body_length(const char (&header)[4]);

/// A rank's end of its socket to the driver: blocking, one message at a time.
class Channel {
 public:
  /// Takes over a connected stream socket.
  explicit Channel(int descriptor);

  void send(const Message& message);
  /// Throws `Error` when the driver is gone.
  Message receive();

 private:
  boost::asio::io_context io_;
  boost::asio::local::stream_protocol::socket socket_;
};

}  // namespace shardbench
