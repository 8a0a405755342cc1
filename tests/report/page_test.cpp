#include "report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/runs.hpp"

namespace shardbench {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// The JSON that the scripts of a page read.
nlohmann::json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Page, IsOneFileWithoutALinkToAnother) {
  const std::string page = report_page(report_of({recorded_case("a")}));
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("Chart.js v3"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* link : {"<link", "src=\"", "url(", "@import", "@style@", "@data@"})
    EXPECT_THAT(page, Not(HasSubstr(link)));
}

TEST(Page, HasTheNumbersOfTheRun) {
  const nlohmann::json data = data_of(report_page(report_of({recorded_case("a")})));
  EXPECT_EQ(data["cases"][0]["values"]["total_bytes"], 8421440);
  EXPECT_EQ(data["cases"][0]["values"]["step_median_s"], 0.002883);
  EXPECT_EQ(data["summary"]["headline"], "Green: the case is right");
  EXPECT_EQ(data["comparison"], nullptr);
  EXPECT_EQ(data["columns"]["total_bytes"]["unit"], "bytes");
}

TEST(Page, HostileTextNeverBecomesMarkup) {
  const std::string hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>@data@\xff";
  ReportInput input = report_of({recorded_case(hostile, Status::failed, hostile)});
  input.run.suite = hostile;
  const std::string page = report_page(input);
  EXPECT_EQ(occurrences(page, "</script>"), 3u) << "of the data, the library and the page's own script";
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;"));
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["cases"][0]["id"], hostile.substr(0, hostile.size() - 1) + "\uFFFD") << "but it is told as it is";
}

}  // namespace
}  // namespace shardbench
