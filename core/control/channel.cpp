#include "control/channel.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "shardbench/error.hpp"

namespace shardbench {

namespace asio = boost::asio;

namespace {

constexpr std::size_t most_levels = 64;         ///< reading is recursive
constexpr std::size_t most_values = 1U << 26U;  ///< of 16 bytes each when read

/// Builds a message, and stops at one that is deeper or longer than any that is sent: a few bytes of it could ask for
/// all of the reader's stack or memory.
class BoundedReader : public nlohmann::detail::json_sax_dom_parser<Message> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<Message>;
  using Base::Base;

  bool start_object(std::size_t size) { return enter() && Base::start_object(size); }
  bool start_array(std::size_t size) { return enter() && Base::start_array(size); }
  bool end_object() { return leave() && Base::end_object(); }
  bool end_array() { return leave() && Base::end_array(); }
  bool null() { return count() && Base::null(); }
  bool boolean(bool value) { return count() && Base::boolean(value); }
  bool number_integer(std::int64_t value) { return count() && Base::number_integer(value); }
  bool number_unsigned(std::uint64_t value) { return count() && Base::number_unsigned(value); }
  bool number_float(double value, const std::string& text) { return count() && Base::number_float(value, text); }
  bool string(std::string& value) { return count() && Base::string(value); }
  bool binary(Message::binary_t& value) { return count() && Base::binary(value); }

 private:
  bool count() { return ++values_ <= most_values; }
  bool enter() { return ++levels_ <= most_levels && count(); }
  bool leave() {
    --levels_;
    return true;
  }
  std::size_t levels_ = 0, values_ = 0;
};

}  // namespace

std::string encode(const Message& message) {
  std::string text(4, '\0');
  nlohmann::json::to_cbor(message, nlohmann::detail::output_adapter<char>(text));
  const auto length = static_cast<std::uint32_t>(text.size() - 4);
  for (int i = 0; i < 4; ++i) text[static_cast<std::size_t>(i)] = static_cast<char>(length >> (8 * i) & 0xff);
  return text;
}

Message decode(const std::string& body) {
  try {
    Message message;
    BoundedReader reader(message);
    if (!Message::sax_parse(body, &reader, Message::input_format_t::cbor))
      throw Error("a message between driver and rank has more than " + std::to_string(most_levels) + " levels or " +
                  std::to_string(most_values) + " values");
    return message;
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
