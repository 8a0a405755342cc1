#include <gtest/gtest.h>

#include "plugin/descriptor.hpp"
#include "support.hpp"

namespace shardbench {
namespace {

using Options = std::map<std::string, std::vector<std::string>>;

TEST(Options, AreNamesWithTheirValues) {
  EXPECT_EQ(parse_options("").options, Options{});
  EXPECT_EQ(parse_options("depth=*").options, (Options{{"depth", {"*"}}}));
  EXPECT_EQ(parse_options("partition=greedy|flat;bucket_mb=*").options,
            (Options{{"partition", {"greedy", "flat"}}, {"bucket_mb", {"*"}}}));
}

TEST(Options, KeepTheDefaultFirst) { EXPECT_EQ(parse_options("a=z|b|y").options.at("a").front(), "z"); }

struct Malformed {
  const char* text;
  const char* reason;
};

class MalformedOptions : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedOptions, AreRefusedWithTheReason) {
  const auto problems = parse_options(GetParam().text).problems;
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0], std::string("its options are '") + GetParam().text + "', but " + GetParam().reason);
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

TEST(Options, HaveAllTheirProblemsTold) {
  const auto problems = parse_options("order;a=b|b;a=").problems;
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_EQ(problems[0], "its options are 'order;a=b|b;a=', but 'order' has no '='");
  EXPECT_EQ(problems[1], "its options are 'order;a=b|b;a=', but 'a' has the value 'b' twice");
  EXPECT_EQ(problems[2], "its options are 'order;a=b|b;a=', but 'a' has an empty value");
  EXPECT_EQ(problems[3], "its options are 'order;a=b|b;a=', but 'a' is there twice");
}

}  // namespace
}  // namespace shardbench
