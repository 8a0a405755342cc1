#include "control/channel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <limits>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using ::testing::HasSubstr;

std::array<int, 2> connected() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) throw Error("no socketpair");
  return ends;
}

std::string problem_of(auto call) {
  try {
    call();
  } catch (const Error& e) {
    return e.problem();
  }
  return "nothing was thrown";
}

// Each byte 0x81 begins an array of one more level; 0x9b announces an array by its length in 8 bytes.
TEST(Encoding, OfMoreThanAMessageHasIsRefused) {
  EXPECT_THAT(problem_of([] { decode(std::string(1'000'000, '\x81')); }),
              HasSubstr("has more than 64 levels or 67108864 values"));
  EXPECT_THAT(problem_of([] { decode("\x9b\x0f\xff\xff\xff\xff\xff\xff\xff"); }), HasSubstr("is not CBOR"));
}

TEST(Encoding, RoundTrip) {
  const Message message = {{"type", "step"},
                           {"numbers", {0, -1, 1.5, std::numeric_limits<std::uint64_t>::max()}},
                           {"nothing", nullptr},
                           {"blob", Message::binary({0, 255, 10})}};
  const std::string text = encode(message);
  char header[4];
  text.copy(header, 4);
  ASSERT_EQ(body_length(header), text.size() - 4);
  EXPECT_EQ(decode(text.substr(4)), message);
}

// A CBOR map of one entry, "a": 1, is a1 61 61 01: 4 bytes.
TEST(Encoding, IsALittleEndianLengthAndCbor) {
  EXPECT_EQ(encode({{"a", 1}}), std::string("\x04\0\0\0\xa1\x61\x61\x01", 8));
}

TEST(Encoding, ALengthOverOneGibibyteIsRefused) {
  const char most[4] = {0, 0, 0, 0x40};
  EXPECT_EQ(body_length(most), std::size_t{1} << 30);
  const char more[4] = {1, 0, 0, 0x40};
  EXPECT_EQ(problem_of([&] { body_length(more); }),
            "a message between driver and rank claims 1073741825 bytes, over the limit of 1 GiB");
  const char all[4] = {'\xff', '\xff', '\xff', '\xff'};
  EXPECT_THROW(body_length(all), Error);
}

TEST(Encoding, WhatIsNoCborIsRefused) {
  const std::string body = encode({{"type", "audit"}}).substr(4);
  for (std::size_t length = 0; length < body.size(); ++length)
    EXPECT_THAT(problem_of([&] { decode(body.substr(0, length)); }), HasSubstr("is not CBOR")) << length;
  EXPECT_THAT(problem_of([&] { decode(body + "x"); }), HasSubstr("is not CBOR"));
  EXPECT_THAT(problem_of([] { decode("\xff\xff"); }), HasSubstr("is not CBOR"));
}

TEST(Channel, CarriesMessagesInOrder) {
  const auto ends = connected();
  Channel driver(ends[0]), rank(ends[1]);
  driver.send({{"type", "train"}});
  driver.send({{"type", "audit"}});
  EXPECT_EQ(rank.receive().at("type"), "train");
  EXPECT_EQ(rank.receive().at("type"), "audit");
  rank.send({{"type", "done"}});
  EXPECT_EQ(driver.receive().at("type"), "done");
}

TEST(Channel, SaysThatTheDriverIsGone) {
  const auto ends = connected();
  Channel rank(ends[1]);
  ::close(ends[0]);
  EXPECT_THAT(problem_of([&] { rank.receive(); }), HasSubstr("the driver is gone"));
}

TEST(Channel, SaysThatTheDriverIsGoneInTheMiddleOfAMessage) {
  const std::string text = encode({{"type", "train"}});
  for (const std::size_t sent : {2u, 4u, 7u}) {
    const auto ends = connected();
    Channel rank(ends[1]);
    ASSERT_EQ(::write(ends[0], text.data(), sent), static_cast<ssize_t>(sent));
    ::close(ends[0]);
    EXPECT_THAT(problem_of([&] { rank.receive(); }), HasSubstr("the driver is gone"));
  }
}

}  // namespace
}  // namespace shardbench
