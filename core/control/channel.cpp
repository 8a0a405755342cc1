#include "control/channel.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "shardbench/error.hpp"

namespace shardbench {

namespace asio = boost::asio;

std::string encode(const Message& message) {
  std::string text(4, '\0');
  nlohmann::json::to_cbor(message, nlohmann::detail::output_adapter<char>(text));
  const auto length = static_cast<std::uint32_t>(text.size() - 4);
  for (int i = 0; i < 4; ++i) text[static_cast<std::size_t>(i)] = static_cast<char>(length >> (8 * i) & 0xff);
  return text;
}

Message decode(const std::string& body) {
  try {
    return nlohmann::json::from_cbor(body);
  } catch (const nlohmann::json::exception& e) {
    throw Error(std::string("a message between driver and rank is not CBOR: ") + e.what());
  }
}

std::size_t body_length(const char (&header)[4]) {
  std::size_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<std::size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  if (length > std::size_t{1} << 30)
    throw Error("a message between driver and rank claims " + std::to_string(length) +
                " bytes, over the limit of 1 GiB");
  return length;
}

Channel::Channel(int descriptor) : socket_(io_, asio::local::stream_protocol(), descriptor) {}

void Channel::send(const Message& message) { asio::write(socket_, asio::buffer(encode(message))); }

Message Channel::receive() {
  boost::system::error_code failed;
  char header[4];
  asio::read(socket_, asio::buffer(header), failed);
  if (failed) throw Error("the driver is gone: " + failed.message());
  std::string body(body_length(header), '\0');
  asio::read(socket_, asio::buffer(body), failed);
  if (failed) throw Error("the driver is gone: " + failed.message());
  return decode(body);
}

}  // namespace shardbench
