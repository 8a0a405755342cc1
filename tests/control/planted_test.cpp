#include "control/planted.hpp"

#include <gtest/gtest.h>

#include "shardbench/error.hpp"

using namespace shardbench;

TEST(Planted, IsReadAndShown) {
  Planted planted;
  EXPECT_FALSE(planted.any());
  EXPECT_EQ(text(planted), "");
  plant("slowdown=0.25", planted);
  EXPECT_TRUE(planted.any());
  EXPECT_EQ(text(planted), "slowdown=0.25");
  plant("bytes=1", planted);
  EXPECT_EQ(planted.bytes, 1u);
  EXPECT_EQ(text(planted), "slowdown=0.25,bytes=1");
}

TEST(Planted, RefusesWhatItDoesNotKnow) {
  Planted planted;
  for (const char* what : {"", "luck", "slowdown", "slowdown=", "slowdown=-1", "slowdown=0.25x", "slowdown=1000",
                           "bytes=-1", "bytes=1.5", "bytes=99999999999"})
    EXPECT_THROW(plant(what, planted), Error) << what;
}
