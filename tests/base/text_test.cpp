#include "base/text.hpp"

#include <gtest/gtest.h>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

TEST(InQuotes, IsOneLineAndNeverCutInsideACharacter) {
  EXPECT_EQ(in_quotes("a\nb\x7F"), "\"a\\x0Ab\\x7F\"");
  EXPECT_EQ(in_quotes("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(in_quotes("ab\xC3\xA9", 3), "\"ab...\"");
  EXPECT_EQ(in_quotes("abcdef", whole), "\"abcdef\"");
}

TEST(ReadText, NamesWhatTheFileIsFor) {
  try {
    read_text("/no/such/file", "plan");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "the plan file \"/no/such/file\" does not exist\n  where: /no/such/file\n  what to do: check the path");
  }
}

}  // namespace
}  // namespace shardbench
