#include "result/junit.hpp"

#include <gtest/gtest.h>

#include "check/good_case.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(Xml, EscapesWhatXmlReservesAndRemovesWhatItForbids) {
  EXPECT_EQ(xml_escaped("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &apos;d&apos;");
  EXPECT_EQ(xml_escaped(std::string("a\x1b[31mb\0c\x7f", 10)), "a[31mbc\x7f");
  EXPECT_EQ(xml_escaped("tab\tline\nend"), "tab\tline\nend");
  EXPECT_EQ(xml_escaped("é 漢 \xF0\x9F\x98\x80"), "é 漢 \xF0\x9F\x98\x80");
  EXPECT_EQ(xml_escaped("\xff\xc3(\xed\xa0\x80\xef\xbf\xbf\xc0\xaf\xe2\x82"), "(");
}

TEST(Junit, AGoodCaseIsOneLine) {
  JunitCounts counts;
  EXPECT_EQ(junit_case(good_training(), counts),
            "  <testcase classname=\"notebook.training\" name=\"zero2-w2\" time=\"0.250\"/>\n");
  EXPECT_EQ(counts.tests, 1u);
  EXPECT_EQ(counts.failures + counts.errors + counts.skipped, 0u);
}

TEST(Junit, AFailureHasEveryMessage) {
  CaseResult result = good_training();
  result.status = Status::failed;
  result.invariants = {{"rest_equals_law", Verdict::failed, "1 < 2"},
                       {"own_rows", Verdict::passed, ""},
                       {"saved_released", Verdict::failed, "3"}};
  JunitCounts counts;
  EXPECT_EQ(junit_case(result, counts),
            "  <testcase classname=\"notebook.training\" name=\"zero2-w2\" time=\"0.250\">\n"
            "    <failure type=\"invariant\" message=\"rest_equals_law: 1 &lt; 2\">rest_equals_law: 1 &lt; 2\n"
            "saved_released: 3\n</failure>\n"
            "  </testcase>\n");
  EXPECT_EQ(counts.failures, 1u);
}

TEST(Junit, CrashesAreErrorsAndSkippedIsSkipped) {
  CaseResult result = good_training();
  JunitCounts counts;
  result.status = Status::crashed;
  result.detail = "rank 1 died\nby signal 9";
  EXPECT_NE(junit_case(result, counts)
                .find("<error type=\"crashed\" message=\"rank 1 died by signal 9\">rank 1 died\nby signal 9</error>"),
            std::string::npos);
  result.status = Status::timeout;
  EXPECT_NE(junit_case(result, counts).find("<error type=\"timeout\""), std::string::npos);
  result.status = Status::skipped;
  EXPECT_NE(junit_case(result, counts).find("<skipped message="), std::string::npos);
  EXPECT_EQ(counts.errors, 2u);
  EXPECT_EQ(counts.skipped, 1u);
}

TEST(Junit, TheDocumentHasCountsAndTheEnvironment) {
  RunInfo run;
  run.suite = "a & b";
  run.environment.cpu = "Some CPU";
  run.environment.variables = {{"OMP_NUM_THREADS", "1"}};
  const std::string text = junit_document(run, {3, 1, 1, 0, 1.5}, "  <testcase/>\n");
  EXPECT_TRUE(
      text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites tests=\"3\" failures=\"1\" errors=\"1\" time=\"1.500\">\n"
                       " <testsuite name=\"a &amp; b\""))
      << text;
  EXPECT_NE(text.find("<property name=\"cpu\" value=\"Some CPU\"/>"), std::string::npos);
  EXPECT_EQ(text.find("injected"), std::string::npos);
  run.injected = "bytes=1";
  EXPECT_NE(junit_document(run, {}, "").find("<property name=\"injected\" value=\"bytes=1\"/>"), std::string::npos);
  EXPECT_NE(text.find("<property name=\"variable.OMP_NUM_THREADS\" value=\"1\"/>"), std::string::npos);
  EXPECT_TRUE(text.ends_with("  </properties>\n  <testcase/>\n </testsuite>\n</testsuites>\n"));
}
