#include <gtest/gtest.h>

#include "plugin/descriptor.hpp"
#include "support.hpp"

namespace shardbench {
namespace {

using Options = std::map<std::string, std::vector<std::string>>;

TEST(Options, AreNamesWithTheirValues) {
  EXPECT_EQ(parse_options(""), Options{});
  EXPECT_EQ(parse_options("depth=*"), (Options{{"depth", {"*"}}}));
  EXPECT_EQ(parse_options("partition=greedy|flat;bucket_mb=*"),
            (Options{{"partition", {"greedy", "flat"}}, {"bucket_mb", {"*"}}}));
}

TEST(Options, KeepTheDefaultFirst) { EXPECT_EQ(parse_options("a=z|b|y").at("a").front(), "z"); }

struct Malformed {
  const char* text;
  const char* reason;
};

class MalformedOptions : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedOptions, AreRefusedWithTheReason) {
  const auto error = testing::error_of([] { parse_options(GetParam().text); });
  EXPECT_EQ(error.problem(), std::string("its options are '") + GetParam().text + "', but " + GetParam().reason);
  EXPECT_EQ(error.cure(), "write them as \"partition=greedy|flat;bucket_mb=*\"");
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedOptions,
    ::testing::Values(Malformed{"order", "'order' has no '='"}, Malformed{"a=b;", "'' has no '='"},
                      Malformed{";a=b", "'' has no '='"},
                      Malformed{"=b", "the name '' is not made of a to z, 0 to 9 and '_'"},
                      Malformed{"Order=a", "the name 'Order' is not made of a to z, 0 to 9 and '_'"},
                      Malformed{"a b=c", "the name 'a b' is not made of a to z, 0 to 9 and '_'"},
                      Malformed{"a=", "'a' has an empty value"}, Malformed{"a=b|", "'a' has an empty value"},
                      Malformed{"a=|b", "'a' has an empty value"}, Malformed{"a=b=c", "the value 'b=c' contains '='"},
                      Malformed{"a=*|b", "'a' has '*', which must be its only value, among others"},
                      Malformed{"a=b|b", "'a' has the value 'b' twice"}, Malformed{"a=b;a=c", "'a' is there twice"}));

}  // namespace
}  // namespace shardbench
