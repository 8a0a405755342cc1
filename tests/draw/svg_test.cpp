#include "draw/svg.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "draw/pictures.hpp"
#include "draw/svg_text.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Every element is closed in the right order, and no '<' or '&' stands outside of markup.
::testing::AssertionResult well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      if (end == std::string::npos || end - i > 6) return ::testing::AssertionFailure() << "a bare & at " << i;
    }
    if (text[i] != '<') continue;
    const std::size_t end = text.find('>', i);
    if (end == std::string::npos) return ::testing::AssertionFailure() << "a tag without an end at " << i;
    const std::string tag = text.substr(i + 1, end - i - 1);
    if (tag.find('<') != std::string::npos) return ::testing::AssertionFailure() << "a bare < in " << tag;
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1))
        return ::testing::AssertionFailure() << "</" << name << "> closes nothing";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty() ? ::testing::AssertionSuccess()
                      : ::testing::AssertionFailure() << open.back() << " is not closed";
}

}  // namespace

TEST(Svg, HasOneBarForEachPhaseAndOnePartForEachRole) {
  const std::string text = svg(small_picture());
  EXPECT_TRUE(well_formed(text));
  EXPECT_EQ(count_of(text, "<g>"), 3U);
  EXPECT_EQ(count_of(text, "class=\"role "), 2U + 4U + 5U);
  EXPECT_EQ(count_of(text, "class=\"role weights\""), 3U);
  EXPECT_EQ(count_of(text, "class=\"role communication\""), 1U);
  // 16,000 of 48,000 bytes on 620 pixels.
  EXPECT_NE(text.find("width=\"206.67\" height=\"18\" class=\"role weights\"/>"), std::string::npos);
}

TEST(Svg, StandsAloneAndReadsToEveryone) {
  const std::string text = svg(small_picture());
  EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
  EXPECT_NE(text.find("role=\"img\" aria-labelledby=\"title desc\""), std::string::npos);
  EXPECT_NE(text.find("<title id=\"title\">Bytes alive in one step: training/zero3/"), std::string::npos);
  EXPECT_NE(text.find("<desc id=\"desc\">One stacked bar for each phase of the step, by role; peak: 48,000 bytes on "
                      "rank 1 of 2, in "
                      "backward of unit 0; the law says 48,000. Alive then: weights 16,000, "),
            std::string::npos);
  EXPECT_NE(text.find("<title>backward of unit 0: 48,000 bytes (weights 16,000, gradients 8,000,"), std::string::npos);
  EXPECT_NE(text.find("@media (prefers-color-scheme: dark)"), std::string::npos);
  for (const char* outside : {"<script", "href", "url(", "@import", "<image", "<foreignObject"})
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  EXPECT_EQ(count_of(text, "http"), 1U) << "the namespace alone";
}

TEST(Svg, TheLawsPeakIsALine) {
  StepPicture picture = small_picture();
  picture.law = 24000;
  const std::string text = svg(picture);
  EXPECT_EQ(count_of(text, "class=\"law\""), 1U);
  EXPECT_NE(text.find(">the law: 24,000</text>"), std::string::npos);
  picture.law.reset();
  EXPECT_EQ(count_of(svg(picture), "class=\"law\""), 0U);
}

TEST(Svg, EscapesHostileNames) {
  StepPicture picture = small_picture();
  picture.title = "</title><script>alert('1')</script>&amp;\"\x01\xff";
  picture.moment = picture.bars[0].label = "<b onload=\"x\">";
  const std::string text = svg(picture);
  EXPECT_TRUE(well_formed(text));
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("<b "), std::string::npos);
  EXPECT_NE(
      text.find("&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&quot;\xEF\xBF\xBD\xEF\xBF\xBD"),
      std::string::npos);
}

TEST(Svg, OfNoBytes) {
  StepPicture picture;
  picture.bars = {{"start", {}, false}};
  EXPECT_TRUE(well_formed(svg(picture)));
}

TEST(SvgText, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(svg_text("größe 𝄞"), "größe 𝄞");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(svg_text("a\x02z"), "a" + bad + "z");
  EXPECT_EQ(svg_text("\xC3"), bad) << "cut short";
  EXPECT_EQ(svg_text("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(svg_text("\xED\xA0\x80"), bad + bad + bad) << "half of a surrogate pair";
  EXPECT_EQ(svg_text("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "above U+10FFFF";
  EXPECT_EQ(svg_text(std::string_view("\0", 1)), bad);
}
