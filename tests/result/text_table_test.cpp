#include "result/text_table.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace shardbench;

TEST(Thousands, HaveCommas) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(2105344), "2,105,344");
  EXPECT_EQ(thousands(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(TextTable, AlignsByDisplayWidth) {
  TextTable table({{.name = "name", .align = Align::left}, {.name = "n"}, {.name = "last", .align = Align::left}});
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.text({}), "");
  table.add({"é", "1", "x"});
  table.add({"longer", "1,000", ""});
  EXPECT_EQ(table.text({}),
            "  name        n  last\n"
            "  é           1  x\n"
            "  longer  1,000\n");
}

TEST(TextTable, HidesColumnsThatSayNothing) {
  TextTable table({{.name = "a"}, {.name = "b", .hide_if_empty = true}, {.name = "c", .hide_if_same = true}});
  table.add({"1", "", "same"});
  table.add({"2", "", "same"});
  EXPECT_EQ(table.text({}), "  a\n  1\n  2\n");
  table.add({"3", "x", "other"});
  EXPECT_EQ(table.text({}), "  a  b      c\n  1      same\n  2      same\n  3  x  other\n");
}

TEST(TextTable, ColoursOnlyWhereAsked) {
  TextTable table({{.name = "a"}});
  table.add({"1"}, true);
  EXPECT_EQ(table.text({.colour = false}), "  a\n  1\n");
  EXPECT_EQ(table.text({.colour = true}), "  a\n\033[31m  1\033[0m\n");
}

TEST(TextTable, ARowOfAnotherLengthIsAMistake) {
  TextTable table({{.name = "a"}});
  EXPECT_THROW(table.add({"1", "2"}), std::invalid_argument);
}
